import { z } from "zod";

/**
 * An object that is published as one with any keys, because its keys are no part of the contract. Inside the house
 * whoever writes it and whoever reads it are held to `Shape`.
 */
export const openRecord = <Shape extends object>(): z.ZodType<Shape, Shape> => {
  const schema: z.ZodType = z.record(z.string(), z.unknown());
  return schema as z.ZodType<Shape, Shape>;
};
