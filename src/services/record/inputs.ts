import { InputType, Int, registerEnumType } from "type-graphql";
import { AuditDoor, AuditSubject } from "../../models";
import { Email, FilterText, Id, Instant, OneOf, Text } from "../input/fields";
import { NullableField } from "../input/graphql-fields";
import { SEARCH_LENGTH } from "../orders/inputs";

export { AuditDoor, AuditSubject };

registerEnumType(AuditDoor, {
  name: "AuditDoor",
  description: "The way in which something was changed.",
  valuesConfig: {
    REST: { description: "Over REST." },
    GRAPHQL: { description: "Over GraphQL." },
    COMMAND_LINE: { description: "By a command, or at the start of the service." },
    DATABASE: { description: "In the database, beside the service." },
  },
});

registerEnumType(AuditSubject, {
  name: "AuditSubject",
  description: "What was changed.",
  valuesConfig: {
    CATEGORY: { description: "A category." },
    PRODUCT: { description: "A product." },
    ORDER: { description: "An order, with its items." },
    NEWSLETTER_SUBSCRIBER: { description: "A subscriber of the newsletter." },
    ADMINISTRATOR: { description: "The account of an administrator." },
    WEBHOOK_ENDPOINT: { description: "An endpoint of webhooks." },
    CUSTOMER: { description: "A customer, whose data was erased." },
  },
});

@InputType({ description: "Conditions on entries of the audit log, all of which hold." })
export class AuditFilter {
  @NullableField(
    "Changes of this kind of thing.",
    OneOf(Object.values(AuditSubject)),
    () => AuditSubject,
  )
  subject?: AuditSubject;

  @NullableField("Changes of the thing with this id.", Id(), () => Int)
  subjectId?: number;

  @NullableField(
    "Changes by this administrator, user or role; letter case is ignored.",
    FilterText(),
  )
  actor?: string;

  @NullableField("Changes by this operation, such as `updateProduct`.", FilterText())
  operation?: string;

  @NullableField("Changes at this time or later.", Instant(), () => Date)
  from?: Date;

  @NullableField("Changes before this time.", Instant(), () => Date)
  before?: Date;
}

@InputType({ description: "Conditions on customers." })
export class CustomerFilter {
  @NullableField(
    `${SEARCH_LENGTH.least} to ${SEARCH_LENGTH.most} characters that occur in the address; ` +
      "letter case is ignored.",
    Text(SEARCH_LENGTH.most, SEARCH_LENGTH.least),
  )
  search?: string;
}

/** A customer, who is known by an address alone. */
export class CustomerInput {
  @Email()
  email!: string;
}
