interface ChangedRows {
  numUpdatedRows?: bigint
  numDeletedRows?: bigint
  numInsertedOrUpdatedRows?: bigint | undefined
}

/** Runs an insert, update or delete. @returns whether it changed a row */
export const hasChanged = async (change: {
  executeTakeFirst: () => Promise<ChangedRows>
}): Promise<boolean> => {
  const { numUpdatedRows, numDeletedRows, numInsertedOrUpdatedRows } = await change.executeTakeFirst()
  return (numUpdatedRows ?? numDeletedRows ?? numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** Runs a query. @returns whether it found or returned a row */
export const hasRow = async (query: { executeTakeFirst: () => Promise<object | undefined> }) =>
  (await query.executeTakeFirst()) !== undefined
