import {
  CreateProductInput,
  SetProductStatusInput,
} from "../../services/catalogue/inputs/product-input";
import type { ShopOperation } from "../operation";
import { PAGE } from "../parameters";

const tag = "Products";
const unknown = ["Product not found"];

const reads: readonly ShopOperation[] = [
  {
    id: "products",
    tag,
    summary: "List products",
    description: "Active or not, newest first, in pages.",
    parameters: PAGE,
    answer: { status: 200, description: "A page of products.", shape: "ProductPage" },
    refusals: {
      400: ["Page must be greater than or equal to 1", "Page size must be between 1 and 50"],
    },
  },
  {
    id: "productsOfCategory",
    tag,
    summary: "List the products of a category",
    description: "All of them, active or not, newest first. There are no pages.",
    answer: { status: 200, description: "The category's products.", shape: "Products" },
    refusals: { 404: ["Category not found"] },
  },
  {
    id: "product",
    tag,
    summary: "Get a product",
    answer: { status: 200, description: "The product, active or not.", shape: "Product" },
    refusals: { 404: unknown },
  },
];

const changes: readonly ShopOperation[] = [
  {
    id: "createProduct",
    tag,
    summary: "Create a product",
    body: {
      Input: CreateProductInput,
      example: { name: "Sencha", price: "12.50", categoryId: 3, isActive: true },
    },
    answer: {
      status: 201,
      description: "The new product.",
      shape: "Product",
      headers: ["Location"],
    },
    refusals: {
      400: [
        ["price must be a decimal from 0.00 to 99999999.99 with at most 2 decimal places"],
        ["categoryId 42 does not reference an existing category"],
      ],
      409: ["Slug sencha is already taken"],
    },
  },
  {
    id: "setProductStatus",
    tag,
    summary: "Activate or deactivate a product",
    description: "Only active products can be ordered.",
    body: { Input: SetProductStatusInput, example: { isActive: false } },
    answer: { status: 200, description: "The product as it is now.", shape: "Product" },
    refusals: { 400: [["isActive must be a boolean value"]], 404: unknown },
  },
  {
    id: "deleteProduct",
    tag,
    summary: "Delete a product",
    description: "A product that orders refer to stays.",
    answer: { status: 200, description: "The product as it was.", shape: "Product" },
    refusals: { 404: unknown, 409: ["Product 7 is part of orders"] },
  },
];

export const productOperations = [...reads, ...changes];
