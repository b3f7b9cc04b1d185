import { z } from './zod.ts'

/** The id of an entity of the portal in an address: plain digits within the range of int4. */
export const EntityId = z.coerce
  .string<string | number>()
  .regex(/^[1-9]\d{0,9}$/)
  .transform(Number)
  .refine((id) => id <= 2_147_483_647)
