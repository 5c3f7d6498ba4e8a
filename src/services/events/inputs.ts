import { Field, InputType, Int } from "type-graphql";
import { AuditSubject } from "../../models";
import { Flag, Id, Instant, OneOf, SomeOf, Text, WebUrl } from "../input/fields";
import { Optional, OptionalOrNull } from "../input/rules";
import { eventTypes } from "./event-types";

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

const DESCRIPTION = 500;

@InputType({ description: "A new endpoint of webhooks." })
export class CreateWebhookEndpointInput {
  @Field({ description: "Where events are sent: http or https, without a user or a fragment." })
  @WebUrl()
  url!: string;

  @Field({ nullable: true, description: `For people; at most ${DESCRIPTION} characters.` })
  @OptionalOrNull()
  @Text(DESCRIPTION)
  description?: string;

  @Field(() => [String], {
    nullable: true,
    description: "The types of its events; all, if left out or empty.",
  })
  @OptionalOrNull()
  @SomeOf(eventTypes)
  types?: string[];

  @Field({
    nullable: true,
    description: "Whether `order.placed` has the order's `lookup`, which is a secret.",
  })
  @OptionalOrNull()
  @Flag()
  includeLookup?: boolean;
}

@InputType({ description: "Changes of an endpoint; what is left out stays as it is." })
export class UpdateWebhookEndpointInput {
  @Field({ nullable: true, description: "Where events are sent." })
  @Optional()
  @WebUrl()
  url?: string;

  @Field({ nullable: true, description: `For people; at most ${DESCRIPTION} characters.` })
  @Optional()
  @Text(DESCRIPTION)
  description?: string;

  @Field(() => [String], { nullable: true, description: "The types of its events; none: all." })
  @Optional()
  @SomeOf(eventTypes)
  types?: string[];

  @Field({
    nullable: true,
    description: "An inactive endpoint keeps its deliveries. Made active, it goes on in order.",
  })
  @Optional()
  @Flag()
  isActive?: boolean;

  @Field({ nullable: true, description: "Whether `order.placed` has the order's `lookup`." })
  @Optional()
  @Flag()
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
