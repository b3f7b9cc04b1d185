import type { Config } from '../config/config.ts'

interface Linked {
  nomeGrupo: string
  nomeRelatorio: string
  groupId: string
  reportId: string
  /** The query with page and filters. */
  consulta: string | null
}

/** Returns the address of a report in the portal, which requires a sign-in. */
export const reportLink = (
  { publicUrl }: Pick<Config, 'publicUrl'>,
  { nomeGrupo, nomeRelatorio, groupId, reportId, consulta }: Linked,
): string => {
  const path = [slug(nomeGrupo), slug(nomeRelatorio), groupId, reportId].map(encodeURIComponent).join('/')
  return `${publicUrl}/relatorio-embed/${path}${consulta ? `?${consulta}` : ''}`
}

/** The names only make the address readable; the ids determine it. */
const slug = (name: string): string => {
  const text = name.toWellFormed().toLocaleLowerCase('pt-BR').replaceAll(' ', '-')
  return /^\.{0,2}$/.test(text) ? '-' : text
}
