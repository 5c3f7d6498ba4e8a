import { Arg, Args, Ctx, FieldResolver, ID, Int, Resolver, Root } from "type-graphql";
import type { ListOptions } from "../../../lists/lists";
import type { Deliveries } from "../../../services/events/deliveries";
import type { Endpoints } from "../../../services/events/endpoints";
import {
  CreateWebhookEndpointInput,
  ResendInput,
  UpdateWebhookEndpointInput,
} from "../../../services/events/inputs";
import { validate } from "../../../services/input/validate";
import { DeliveryState } from "../../../vocabulary/webhooks";
import type { Context } from "../../context";
import { Mutation, Query } from "../decorators/operation";
import {
  ConnectionArguments,
  ExpectedVersionArg,
  IdArg,
  InputArg,
  Options,
} from "../types/arguments";
import { DeliveryConnectionType, presentConnection } from "../types/lists";
import { CreatedWebhookEndpointType, DeliveryType, WebhookEndpointType } from "../types/webhook";

const EndpointIdArg = () => Arg("endpointId", () => Int, { description: "The endpoint's id." });

@Resolver(() => WebhookEndpointType)
export class WebhookResolver {
  constructor(
    private readonly endpoints: Endpoints,
    private readonly service: Deliveries,
  ) {}

  @Query(() => [WebhookEndpointType], "Who is told of events, oldest first.")
  webhookEndpoints() {
    return this.endpoints.list();
  }

  @Query(() => WebhookEndpointType, "An endpoint, or null.", { nullable: true })
  webhookEndpoint(@IdArg("endpoint") id: number) {
    return this.endpoints.find(id);
  }

  @Mutation(
    () => CreatedWebhookEndpointType,
    "Creates an endpoint, which gets the events from now on.",
  )
  createWebhookEndpoint(@InputArg("The new endpoint.") input: CreateWebhookEndpointInput) {
    return this.endpoints.create(input);
  }

  @Mutation(() => WebhookEndpointType, "Changes an endpoint.")
  updateWebhookEndpoint(
    @IdArg("endpoint") id: number,
    @InputArg("The changes.") input: UpdateWebhookEndpointInput,
    @ExpectedVersionArg("endpoint") expectedVersion: number | null,
  ) {
    return this.endpoints.update(id, input, { expectedVersion });
  }

  @Mutation(() => WebhookEndpointType, "Deletes an endpoint with its deliveries.")
  deleteWebhookEndpoint(@IdArg("endpoint") id: number) {
    return this.endpoints.delete(id);
  }

  @Mutation(
    () => String,
    "Gives an endpoint another secret, which is shown this once. The old one signs beside it for 24 hours.",
  )
  rotateWebhookSecret(@IdArg("endpoint") id: number) {
    return this.endpoints.rotateSecret(id);
  }

  @Mutation(() => DeliveryType, "Sends an endpoint an event of the type `test.ping`.")
  sendTestEvent(@EndpointIdArg() endpointId: number) {
    return this.service.sendTest(endpointId);
  }

  @Mutation(
    () => DeliveryType,
    "Sends an event again, at once. What has ended is outside the order then.",
  )
  resendDelivery(@Arg("id", () => ID, { description: "The delivery's id." }) id: string) {
    return this.service.resend(/^[1-9][0-9]{0,9}$/.test(id) ? Number(id) : 0);
  }

  @Mutation(
    () => Int,
    "Sends an endpoint all events of a time again, at most 10,000, outside the order. Returns how many.",
  )
  resendEvents(
    @EndpointIdArg() endpointId: number,
    @Arg("from", () => Date, { description: "From this time on." }) from: Date,
    @Arg("before", () => Date, { description: "Before this time." }) before: Date,
    @Arg("types", () => [String], {
      nullable: true,
      description: "Of these types; those of the endpoint, if left out or empty.",
    })
    types: string[] | null,
  ) {
    return this.service.resendEvents(
      validate(ResendInput, { endpointId, from, before, types: types ?? undefined }),
    );
  }

  @FieldResolver(() => DeliveryConnectionType, {
    description: "What it gets and got, newest first.",
  })
  async deliveries(
    @Root() { id }: WebhookEndpointType,
    @Args() part: ConnectionArguments,
    @Arg("state", () => DeliveryState, { nullable: true, description: "Those in this state." })
    state: DeliveryState | null,
    @Options("totalCount") reading: ListOptions,
    @Ctx() context: Context,
  ) {
    const read = () => this.service.keysetPage(id, part.request(), { state, ...reading });
    return presentConnection(await context.read(read));
  }
}

@Resolver(() => DeliveryType)
export class DeliveryResolver {
  @FieldResolver(() => ID, { description: "The id." })
  id(@Root() { id }: { id: number }) {
    return id;
  }
}
