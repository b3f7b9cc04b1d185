import { z } from 'zod'

/** Fields of a call with which an author says where the rows of a file are. */
export const PLACE = {
  /** The name of a sheet. */
  sheet: z.string().min(1).max(200).optional(),
  /** The row of the heading, from 1; with two rows, the first of them. */
  heading: z
    .object({
      first: z.int().min(1).max(1_048_576),
      count: z.union([z.literal(1), z.literal(2)]),
    })
    .optional(),
}
