import type { ColumnType } from 'kysely'

export type Timestamp = ColumnType<Date, Date, Date>
