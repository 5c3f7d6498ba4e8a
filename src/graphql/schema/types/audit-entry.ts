import { Extensions, Field, ID, Int, ObjectType } from "type-graphql";
import { AuditDoor, AuditSubject } from "../../../services/record/inputs";

@ObjectType("AuditChange", {
  description: "A field that a change has set, as this schema names and shows it.",
  simpleResolvers: true,
})
class AuditChangeType {
  @Field({
    description: "The field's name; of an item of an order `items.<id of the item>.<field>`.",
  })
  field!: string;

  @Field(() => String, {
    nullable: true,
    description: "The value before; null if there was none, and for a secret.",
  })
  before!: string | null;

  @Field(() => String, {
    nullable: true,
    description: "The value after; null if there is none, and for a secret.",
  })
  after!: string | null;
}

@ObjectType("AuditEntry", { description: "A change, and who made it.", simpleResolvers: true })
export class AuditEntryType {
  @Field(() => ID, { description: "The id." })
  id!: number;

  @Field(() => Date, { description: "When it was made." })
  at!: Date;

  @Field(() => String, {
    nullable: true,
    description:
      "Who made it: the administrator's address as it was then, the user of the operating system, or the " +
      "database's role.",
  })
  actor!: string | null;

  @Field(() => AuditDoor, { description: "The way in which it was made." })
  door!: AuditDoor;

  @Field({
    description:
      "The mutation's name (at REST, too), the words of a command, or the kind of SQL statement.",
  })
  operation!: string;

  @Field(() => AuditSubject, { description: "What was changed." })
  subject!: AuditSubject;

  @Field(() => Int, { nullable: true, description: "The id of what was changed." })
  subjectId!: number | null;

  @Extensions({ typicalLength: 300 })
  @Field(() => [AuditChangeType], { description: "What was set." })
  changes!: AuditChangeType[];

  @Field(() => String, { nullable: true, description: "The client's IP address." })
  address!: string | null;

  @Field(() => String, { nullable: true, description: "The id of the request, as in the log." })
  requestId!: string | null;

  @Field(() => String, { nullable: true, description: "The name of an imported file." })
  source!: string | null;
}
