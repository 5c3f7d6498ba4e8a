import { Extensions, Field, Int, ObjectType } from "type-graphql";
import { AuditSubject } from "../../../services/record/inputs/audit-filter";
import { Json } from "../scalars";

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
