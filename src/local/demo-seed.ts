export { seedDemo } from "../database/seed";
