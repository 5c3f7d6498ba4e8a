import { Arg, Args, Resolver } from "type-graphql";
import type { ListOptions } from "../../../lists/lists";
import { validate } from "../../../services/input/validate";
import type { AuditLog } from "../../../services/record/audit-log";
import type { Customers } from "../../../services/record/customers";
import { AuditFilter, CustomerInput } from "../../../services/record/inputs";
import { Mutation, Query } from "../decorators/operation";
import { ConnectionArguments, FilterArg, Options } from "../types/arguments";
import { AuditEntryType } from "../types/audit-entry";
import { CustomerDataType, ErasedCustomerType } from "../types/customer";
import { AuditConnectionType, presentConnection } from "../types/lists";

@Resolver(() => AuditEntryType)
export class RecordResolver {
  constructor(
    private readonly log: AuditLog,
    private readonly customers: Customers,
  ) {}

  @Query(() => AuditConnectionType, "Who changed what, newest first.")
  async auditLog(
    @Args() part: ConnectionArguments,
    @FilterArg(AuditFilter, "entries") filter: AuditFilter | null,
    @Options("totalCount") reading: ListOptions,
  ) {
    return presentConnection(await this.log.keysetPage(part.request(), { filter, ...reading }));
  }

  @Query(() => CustomerDataType, "What is stored of a customer; zeros for an unknown address.")
  customerData(
    @Arg("email", { description: "The e-mail address; letter case is ignored." }) email: string,
  ) {
    return this.customers.data(validate(CustomerInput, { email }));
  }

  @Mutation(
    () => ErasedCustomerType,
    "Replaces a customer's address by a tombstone, wherever it is stored: in orders, whose amounts and " +
      "states stay, in the subscription, which ends, in events, and in the audit log. An unknown address is no error.",
  )
  eraseCustomer(
    @Arg("email", { description: "The e-mail address; letter case is ignored." }) email: string,
  ) {
    return this.customers.erase(validate(CustomerInput, { email }));
  }
}
