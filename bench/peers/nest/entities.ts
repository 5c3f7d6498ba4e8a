import {
  Column,
  CreateDateColumn,
  Entity,
  JoinColumn,
  ManyToOne,
  OneToMany,
  PrimaryGeneratedColumn,
  UpdateDateColumn,
  type Relation,
} from "typeorm";

@Entity("categories")
export class Category {
  @PrimaryGeneratedColumn("identity", { generatedIdentity: "BY DEFAULT" })
  id!: number;

  @Column("text")
  name!: string;

  @Column("text")
  slug!: string;

  @OneToMany(() => Product, (product) => product.category)
  products?: Relation<Product>[];
}

@Entity("products")
export class Product {
  @PrimaryGeneratedColumn("identity", { generatedIdentity: "BY DEFAULT" })
  id!: number;

  @Column("text")
  name!: string;

  @Column("text")
  slug!: string;

  @Column("text")
  description!: string;

  @Column("numeric", { precision: 10, scale: 2 })
  price!: string;

  @Column("boolean", { name: "is_active" })
  isActive!: boolean;

  @Column("integer", { name: "category_id" })
  categoryId!: number;

  @CreateDateColumn({ name: "created_at", type: "timestamptz" })
  createdAt!: Date;

  @UpdateDateColumn({ name: "updated_at", type: "timestamptz" })
  updatedAt!: Date;

  @ManyToOne(() => Category, (category) => category.products)
  @JoinColumn({ name: "category_id" })
  category?: Relation<Category>;
}

@Entity("orders")
export class Order {
  @PrimaryGeneratedColumn("identity", { generatedIdentity: "BY DEFAULT" })
  id!: number;

  @Column("text", { name: "customer_email" })
  customerEmail!: string;

  @Column("numeric", { name: "total_amount", precision: 10, scale: 2 })
  totalAmount!: string;

  @Column("enum", { enum: ["PENDING", "PAID", "CANCELLED"], default: "PENDING" })
  status!: string;

  @CreateDateColumn({ name: "created_at", type: "timestamptz" })
  createdAt!: Date;

  @OneToMany(() => OrderItem, (item) => item.order)
  items?: Relation<OrderItem>[];
}

@Entity("order_items")
export class OrderItem {
  @PrimaryGeneratedColumn("identity", { generatedIdentity: "BY DEFAULT" })
  id!: number;

  @Column("integer", { name: "order_id" })
  orderId!: number;

  @Column("integer", { name: "product_id" })
  productId!: number;

  @Column("integer")
  quantity!: number;

  @Column("numeric", { name: "unit_price", precision: 10, scale: 2 })
  unitPrice!: string;

  @ManyToOne(() => Order, (order) => order.items)
  @JoinColumn({ name: "order_id" })
  order?: Relation<Order>;
}
