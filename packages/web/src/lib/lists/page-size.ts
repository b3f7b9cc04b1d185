import { PAGE_SIZES } from '@bi-manager/contract'

const STORAGE_KEY = 'bi-manager.linhas-por-pagina'

export type PageSize = (typeof PAGE_SIZES)[number]

/** From the product's specification. */
const DEFAULT_PAGE_SIZE: PageSize = 5

/** Rows of a list in a side panel. */
export const PANEL_PAGE_SIZE: PageSize = 5

/** Returns the value as an offered page size, otherwise undefined. */
export const pageSizeOf = (value: unknown): PageSize | undefined =>
  PAGE_SIZES.find((size) => size === Number(value))

/** Returns the page size chosen on this device. */
export const rememberedPageSize = (): PageSize =>
  pageSizeOf(localStorage.getItem(STORAGE_KEY)) ?? DEFAULT_PAGE_SIZE

export const rememberPageSize = (size: PageSize): void => localStorage.setItem(STORAGE_KEY, String(size))
