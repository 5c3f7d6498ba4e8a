import { Id, Instant, SomeOf } from "../../input/fields";
import { OptionalOrNull } from "../../input/rules";
import { eventTypes } from "../event-types";

/** Which events an endpoint gets again. */
export class ResendInput {
  @Id()
  endpointId!: number;

  @Instant()
  from!: Date;

  @Instant()
  before!: Date;

  @OptionalOrNull()
  @SomeOf(eventTypes)
  types?: string[];
}
