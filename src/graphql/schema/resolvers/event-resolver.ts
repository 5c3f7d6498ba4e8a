import { Args, FieldResolver, ID, Resolver, Root } from "type-graphql";
import type { ListOptions } from "../../../lists/lists";
import { publicId, type EventRecord, type Events } from "../../../services/events/events";
import { EventFilter } from "../../../services/events/inputs";
import { Query } from "../decorators/operation";
import { ConnectionArguments, FilterArg, Options } from "../types/arguments";
import { EventConnectionType, presentConnection } from "../types/lists";
import { EventType } from "../types/webhook";

@Resolver(() => EventType)
export class EventResolver {
  constructor(private readonly service: Events) {}

  @Query(() => EventConnectionType, "What happened in the shop, newest first.")
  async events(
    @Args() part: ConnectionArguments,
    @FilterArg(EventFilter, "events") filter: EventFilter | null,
    @Options("totalCount") reading: ListOptions,
  ) {
    return presentConnection(await this.service.keysetPage(part.request(), { filter, ...reading }));
  }

  @FieldResolver(() => ID, { description: "The id, which is also the `webhook-id`." })
  id(@Root() event: EventRecord) {
    return publicId(event);
  }
}
