import type { KeyGroup } from '@bi-manager/contract'
import { type RawBuilder, sql } from 'kysely'

/** The API key behind a call. Its caller is the person who made it. */
export interface CallingKey {
  idChave: number
  nome: string
  grupos: KeyGroup[]
  /** Addresses and networks from which the key may be used. An empty list allows all. */
  redes: string[]
  /** The last recorded use. */
  usadaEm: Date | null
}

/** SQL, for a query of `usuario`: whether the installation lets the person use API keys. */
export const mayUseKeys: RawBuilder<boolean> = sql<boolean>`
  (tipo_usuario = 'ADMIN' or (select pessoas from regras_chaves))`
