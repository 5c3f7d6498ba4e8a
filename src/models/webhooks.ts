import type { CreationOptional, InferAttributes, InferCreationAttributes } from "sequelize";
import { Column, DataType, Model, Table } from "sequelize-typescript";
import type { DeliveryState, DeliveryTry } from "../vocabulary/webhooks";
import { Flag, Id, Integer, Json, Text, Time } from "./column-types";

/** A receiver of events. */
@Table({ tableName: "webhook_endpoints", updatedAt: false })
export class WebhookEndpoint extends Model<
  InferAttributes<WebhookEndpoint>,
  InferCreationAttributes<WebhookEndpoint>
> {
  @Id declare id: CreationOptional<number>;
  @Text declare url: string;
  @Text declare description: string;
  /** The types of events that it gets; none: all. */
  @Column(DataType.ARRAY(DataType.TEXT)) declare types: readonly string[];
  @Flag declare isActive: CreationOptional<boolean>;
  /** Why the service has made it inactive. */
  @Text declare disabledBecause: CreationOptional<string | null>;
  /** When the present series of failures began. */
  @Time declare failingSince: CreationOptional<Date | null>;
  /** Whether `order.placed` has the `lookup` of the order. */
  @Flag declare includeLookup: boolean;
  @Time declare createdAt: CreationOptional<Date>;
  @Integer declare version: CreationOptional<number>;
  /** Sealed. */
  @Text declare secret: string;
  /** Signs beside the present one for a day after a rotation. Sealed. */
  @Text declare previousSecret: CreationOptional<string | null>;
  @Time declare rotatedAt: CreationOptional<Date | null>;
}

/** An event that an endpoint gets. */
@Table({ tableName: "webhook_deliveries", timestamps: false })
export class WebhookDelivery extends Model<InferAttributes<WebhookDelivery>> {
  @Id declare id: number;
  @Integer declare endpointId: number;
  @Integer declare eventId: number;
  @Text declare state: DeliveryState;
  @Integer declare attempts: number;
  @Time declare nextAttemptAt: Date | null;
  @Time declare createdAt: Date;
  @Json declare tries: readonly DeliveryTry[];
}
