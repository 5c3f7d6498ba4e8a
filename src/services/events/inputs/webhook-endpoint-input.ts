import { Field, InputType } from "type-graphql";
import { Flag, SomeOf, Text } from "../../input/fields";
import { Optional, OptionalOrNull } from "../../input/rules";
import { WebUrl } from "../../input/web-url";
import { eventTypes } from "../event-types";

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
