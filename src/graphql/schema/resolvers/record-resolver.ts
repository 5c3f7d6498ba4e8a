import { Args, Resolver } from "type-graphql";
import type { ListOptions } from "../../../lists/lists";
import type { AuditLog } from "../../../services/record/audit-log";
import { AuditFilter } from "../../../services/record/inputs/audit-filter";
import { Query } from "../decorators/operation";
import { ConnectionArguments, FilterArg, Options } from "../types/arguments";
import { AuditEntryType } from "../types/audit-entry";
import { AuditConnectionType, presentConnection } from "../types/connections";

@Resolver(() => AuditEntryType)
export class RecordResolver {
  constructor(private readonly log: AuditLog) {}

  @Query(() => AuditConnectionType, "Who changed what, newest first.")
  async auditLog(
    @Args() part: ConnectionArguments,
    @FilterArg(AuditFilter, "entries") filter: AuditFilter | null,
    @Options("totalCount") reading: ListOptions,
  ) {
    return presentConnection(await this.log.keysetPage(part.request(), { filter, ...reading }));
  }
}
