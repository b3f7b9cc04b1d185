import { setTimeout as sleep } from 'node:timers/promises'
import { type Appearance, PRODUCT_NAME } from '@bi-manager/contract'
import { sql } from 'kysely'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/open-database.ts'
import { createSharedWork } from '../lib/shared-work.ts'

export interface Brand extends Pick<Appearance, 'nome' | 'cor' | 'logo'> {
  /** Width and height of the logo in pixels. */
  size: { width: number; height: number } | undefined
}

/** The look of an installation without settings. */
export const plainBrand: Brand = { nome: null, cor: null, logo: null, size: undefined }

const readBrand = async (db: Db): Promise<Brand> => {
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

/** A caller waits this long for the database, then gets the look as it last was. */
const WAIT_MS = 500
/** Reads within this time share one query: no limit applies to pages. */
const SHARED_MS = 200

/** Returns a function that reads the look. It never fails. */
export const createBrandReader = (db: Db): (() => Promise<Brand>) => {
  const share = createSharedWork<Brand>({ limit: 1, keepMs: SHARED_MS })
  let last = plainBrand
  return async () => {
    const reading = share('', () => readBrand(db)).then(
      (brand) => {
        last = brand
      },
      () => {},
    )
    await Promise.race([reading, sleep(WAIT_MS, undefined, { ref: false })])
    return last
  }
}

/** Returns who operates the portal: as set in the portal, else COMPANY_NAME. */
export const readCompanyName = async ({
  readBrand,
  config,
}: {
  readBrand: () => Promise<Brand>
  config: Pick<Config, 'companyName'>
}): Promise<string | undefined> => (await readBrand()).nome ?? config.companyName
