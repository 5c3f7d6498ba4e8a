import { Field, InputType, Int } from "type-graphql";
import { AuditSubject } from "../../models";
import { Flag, Id, Instant, OneOf, SomeOf, Text, WebUrl } from "../input/fields";
import { NullableField, OptionalField } from "../input/graphql-fields";
import { OptionalOrNull } from "../input/rules";
import { eventTypes } from "./event-types";

@InputType({ description: "Conditions on events, all of which hold." })
export class EventFilter {
  @NullableField(
    "Events of one of these types; an empty list stands for all.",
    SomeOf(eventTypes),
    () => [String],
  )
  types?: string[];

  @NullableField(
    "Events of this kind of thing.",
    OneOf(Object.values(AuditSubject)),
    () => AuditSubject,
  )
  subject?: AuditSubject;

  @NullableField("Events of the thing with this id.", Id(), () => Int)
  subjectId?: number;

  @NullableField("Events at this time or later.", Instant(), () => Date)
  from?: Date;

  @NullableField("Events before this time.", Instant(), () => Date)
  before?: Date;
}

const DESCRIPTION = 500;

@InputType({ description: "A new endpoint of webhooks." })
export class CreateWebhookEndpointInput {
  @Field({ description: "Where events are sent: http or https, without a user or a fragment." })
  @WebUrl()
  url!: string;

  @NullableField(`For people; at most ${DESCRIPTION} characters.`, Text(DESCRIPTION))
  description?: string;

  @NullableField("The types of its events; all, if left out or empty.", SomeOf(eventTypes), () => [
    String,
  ])
  types?: string[];

  @NullableField("Whether `order.placed` has the order's `lookup`, which is a secret.", Flag())
  includeLookup?: boolean;
}

@InputType({ description: "Changes of an endpoint; what is left out stays as it is." })
export class UpdateWebhookEndpointInput {
  @OptionalField("Where events are sent.", WebUrl())
  url?: string;

  @OptionalField(`For people; at most ${DESCRIPTION} characters.`, Text(DESCRIPTION))
  description?: string;

  @OptionalField("The types of its events; none: all.", SomeOf(eventTypes), () => [String])
  types?: string[];

  @OptionalField(
    "An inactive endpoint keeps its deliveries. Made active, it goes on in order.",
    Flag(),
  )
  isActive?: boolean;

  @OptionalField("Whether `order.placed` has the order's `lookup`.", Flag())
  includeLookup?: boolean;
}

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
