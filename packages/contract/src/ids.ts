import { z } from 'zod'

/** An id of our own in an address: plain digits that fit the database's integer. */
export const RecordId = z.coerce
  .string<string | number>()
  .regex(/^[1-9]\d{0,9}$/)
  .transform(Number)
  .refine((id) => id <= 2_147_483_647)
