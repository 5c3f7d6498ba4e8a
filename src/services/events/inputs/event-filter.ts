import { Field, InputType, Int } from "type-graphql";
import { AuditSubject } from "../../../models";
import { Id, Instant, OneOf, SomeOf } from "../../input/fields";
import { OptionalOrNull } from "../../input/rules";
import { eventTypes } from "../event-types";

@InputType({ description: "Conditions on events, all of which hold." })
export class EventFilter {
  @Field(() => [String], {
    nullable: true,
    description: "Events of one of these types; an empty list stands for all.",
  })
  @OptionalOrNull()
  @SomeOf(eventTypes)
  types?: string[];

  @Field(() => AuditSubject, { nullable: true, description: "Events of this kind of thing." })
  @OptionalOrNull()
  @OneOf(Object.values(AuditSubject))
  subject?: AuditSubject;

  @Field(() => Int, { nullable: true, description: "Events of the thing with this id." })
  @OptionalOrNull()
  @Id()
  subjectId?: number;

  @Field(() => Date, { nullable: true, description: "Events at this time or later." })
  @OptionalOrNull()
  @Instant()
  from?: Date;

  @Field(() => Date, { nullable: true, description: "Events before this time." })
  @OptionalOrNull()
  @Instant()
  before?: Date;
}
