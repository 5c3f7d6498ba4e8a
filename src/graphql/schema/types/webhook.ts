import { Extensions, Field, Int, ObjectType, registerEnumType } from "type-graphql";
import { AuditSubject } from "../../../services/record/inputs";
import { DeliveryState } from "../../../vocabulary/webhooks";
import { DateTime, Json } from "../scalars";

@ObjectType("Event", {
  description: "A change that other systems are told of.",
  simpleResolvers: true,
})
export class EventType {
  @Field({ description: "What happened, such as `order.placed`." })
  type!: string;

  @Field(() => Date, { description: "When it happened." })
  at!: Date;

  @Field(() => AuditSubject, { nullable: true, description: "What was changed." })
  subject!: AuditSubject | null;

  @Field(() => Int, { nullable: true, description: "The id of what was changed." })
  subjectId!: number | null;

  @Field(() => Int, {
    description:
      "The version of what was changed, after the change: its next event has the next one.",
  })
  version!: number;

  @Extensions({ typicalLength: 600 })
  @Field(() => Json, {
    description:
      "What was changed, as it was after the change, with the names and texts of this schema.",
  })
  data!: Readonly<Record<string, unknown>>;
}

registerEnumType(DeliveryState, {
  name: "DeliveryState",
  description: "What is to become of a delivery, or has become of it.",
  valuesConfig: {
    WAITING: { description: "It is still to be sent." },
    DELIVERED: { description: "The receiver has taken it." },
    GIVEN_UP: { description: "It was tried ten times in vain. It can be sent again." },
  },
});

@ObjectType("DeliveryTry", { description: "One attempt to deliver.", simpleResolvers: true })
class DeliveryTryType {
  @Field(() => DateTime, { description: "When it began." })
  at!: string;

  @Field(() => Int, { nullable: true, description: "The status of the answer; null if none came." })
  status!: number | null;

  @Field(() => String, { nullable: true, description: "Why no whole answer came." })
  fault!: string | null;

  @Field({ description: "The first 1,000 characters of the answer." })
  answer!: string;
}

@ObjectType("Delivery", { description: "An event that an endpoint gets." })
export class DeliveryType {
  @Field(() => EventType, { description: "What is told." })
  event!: EventType;

  @Field(() => DeliveryState, { description: "What has become of it." })
  state!: DeliveryState;

  @Field(() => Int, { description: "How often it was tried." })
  attempts!: number;

  @Field(() => Date, { nullable: true, description: "When it is tried next; null at its end." })
  nextAttemptAt!: Date | null;

  @Extensions({ typicalLength: 300 })
  @Field(() => [DeliveryTryType], { description: "All attempts, oldest first." })
  tries!: DeliveryTryType[];
}

@ObjectType("WebhookEndpoint", { description: "Who is told of events." })
export class WebhookEndpointType {
  @Field(() => Int, { description: "The id." })
  id!: number;

  @Field({ description: "Where events are sent." })
  url!: string;

  @Field({ description: "For people." })
  description!: string;

  @Field(() => [String], { description: "The types of its events; none: all." })
  types!: string[];

  @Field({ description: "Whether events are sent to it." })
  isActive!: boolean;

  @Field(() => String, {
    nullable: true,
    description: "Why the service has made it inactive; null if it has not.",
  })
  disabledBecause!: string | null;

  @Field(() => Date, {
    nullable: true,
    description: "Since when nothing has succeeded; null if the last attempt has.",
  })
  failingSince!: Date | null;

  @Field({
    description: "Whether `order.placed` has the `lookup` of the order, which is a secret.",
  })
  includeLookup!: boolean;

  @Field(() => Date, { description: "When it was created." })
  createdAt!: Date;

  @Field(() => Int, {
    description: "1 when created, and one more with each change of its settings.",
  })
  version!: number;
}

@ObjectType("CreatedWebhookEndpoint", { description: "A new endpoint.", simpleResolvers: true })
export class CreatedWebhookEndpointType {
  @Field(() => WebhookEndpointType, { description: "The endpoint." })
  endpoint!: WebhookEndpointType;

  @Field({ description: "What its messages are signed with, `whsec_…`. It is shown this once." })
  secret!: string;
}
