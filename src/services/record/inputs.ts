import { Field, InputType, Int, registerEnumType } from "type-graphql";
import { AuditDoor, AuditSubject } from "../../models";
import { Email, FilterText, Id, Instant, OneOf, Text } from "../input/fields";
import { OptionalOrNull } from "../input/rules";
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
  @Field(() => AuditSubject, { nullable: true, description: "Changes of this kind of thing." })
  @OptionalOrNull()
  @OneOf(Object.values(AuditSubject))
  subject?: AuditSubject;

  @Field(() => Int, { nullable: true, description: "Changes of the thing with this id." })
  @OptionalOrNull()
  @Id()
  subjectId?: number;

  @Field({
    nullable: true,
    description: "Changes by this administrator, user or role; letter case is ignored.",
  })
  @OptionalOrNull()
  @FilterText()
  actor?: string;

  @Field({ nullable: true, description: "Changes by this operation, such as `updateProduct`." })
  @OptionalOrNull()
  @FilterText()
  operation?: string;

  @Field(() => Date, { nullable: true, description: "Changes at this time or later." })
  @OptionalOrNull()
  @Instant()
  from?: Date;

  @Field(() => Date, { nullable: true, description: "Changes before this time." })
  @OptionalOrNull()
  @Instant()
  before?: Date;
}

@InputType({ description: "Conditions on customers." })
export class CustomerFilter {
  @Field({
    nullable: true,
    description:
      `${SEARCH_LENGTH.least} to ${SEARCH_LENGTH.most} characters that occur in the address; ` +
      "letter case is ignored.",
  })
  @OptionalOrNull()
  @Text(SEARCH_LENGTH.most, SEARCH_LENGTH.least)
  search?: string;
}

/** A customer, who is known by an address alone. */
export class CustomerInput {
  @Email()
  email!: string;
}
