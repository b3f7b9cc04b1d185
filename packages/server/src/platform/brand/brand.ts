import { type Appearance, PRODUCT_NAME } from '@bi-manager/contract'
import { sql } from 'kysely'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/open-database.ts'
import { createLastKnownReader } from '../lib/last-known.ts'

export interface Brand extends Pick<Appearance, 'nome' | 'cor' | 'logo'> {
  /** Width and height of the logo in pixels. */
  size: { width: number; height: number } | undefined
}

/** The look of an installation without settings. */
export const plainBrand: Brand = { nome: null, cor: null, logo: null, size: undefined }

export const readBrand = async (db: Db): Promise<Brand> => {
  const { sides, ...brand } = await db
    .selectFrom('aparencia')
    .select(['nome', 'cor', 'logoMarca as logo'])
    // Where a PNG has its width and height.
    .select(sql<Uint8Array | null>`substring(logo from 17 for 8)`.as('sides'))
    .executeTakeFirstOrThrow()
  if (!sides) return { ...brand, size: undefined }
  const view = Buffer.from(sides)
  return { ...brand, size: { width: view.readUInt32BE(0), height: view.readUInt32BE(4) } }
}

/** What e-mails and documents carry of the company. */
export interface Letterhead {
  name: string
  /** Undefined without a chosen colour. */
  color: string | undefined
  /** A PNG. */
  logo: Buffer | undefined
}

export const plainLetterhead: Letterhead = { name: PRODUCT_NAME, color: undefined, logo: undefined }

export const readLetterhead = async (db: Db): Promise<Letterhead> => {
  const { nome, cor, logo } = await db
    .selectFrom('aparencia')
    .select(['nome', 'cor', 'logo'])
    .executeTakeFirstOrThrow()
  return { name: nome ?? PRODUCT_NAME, color: cor ?? undefined, logo: logo ? Buffer.from(logo) : undefined }
}

/** What the local service draws on exported sheets: only what was set in the portal. */
export interface SheetBrand {
  name: string | null
  color: string | null
  /** A PNG in base64. */
  logo: string | null
}

/** Returns the look of exported sheets; undefined for an installation without settings. */
export const readSheetBrand = async (db: Db): Promise<SheetBrand | undefined> => {
  const { nome, cor, logo } = await db
    .selectFrom('aparencia')
    .select(['nome', 'cor', 'logo'])
    .executeTakeFirstOrThrow()
  if (!nome && !cor && !logo) return undefined
  return { name: nome, color: cor, logo: logo && Buffer.from(logo).toString('base64') }
}

/**
 * Returns a function that returns the look. It never fails: it falls back to the last known look.
 */
export const createBrandReader = (read: () => Promise<Brand>): (() => Promise<Brand>) =>
  createLastKnownReader(read, plainBrand)

/** Returns who operates the portal: as set in the portal, else COMPANY_NAME. */
export const readCompanyName = async ({
  readBrand,
  config,
}: {
  readBrand: () => Promise<Brand>
  config: Pick<Config, 'companyName'>
}): Promise<string | undefined> => (await readBrand()).nome ?? config.companyName
