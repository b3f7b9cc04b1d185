import type { Kiosk } from '@bi-manager/contract'
import { fullTime, relativeTime } from '../../lib/text/relative-time.ts'

export type ScreenState = 'NO_AR' | 'SEM_SINAL' | 'SEM_TELA' | 'VENCIDA' | 'INATIVO'

/** Milliseconds: the screen asks every few seconds, and the server notes it once a minute. */
const silentMs = 3 * 60_000

type Screen = Pick<Kiosk, 'ativo' | 'conectadaEm' | 'vistaEm' | 'expiraEm'>

export const screenStateOf = (
  { ativo, conectadaEm, vistaEm, expiraEm }: Screen,
  now: number,
): ScreenState => {
  if (!conectadaEm || !expiraEm) return 'SEM_TELA'
  if (Date.parse(expiraEm) <= now) return 'VENCIDA'
  if (!ativo) return 'INATIVO'
  return now - Date.parse(vistaEm ?? conectadaEm) > silentMs ? 'SEM_SINAL' : 'NO_AR'
}

export const stateTexts: Record<ScreenState, string> = {
  NO_AR: 'No ar',
  SEM_SINAL: 'Sem sinal',
  SEM_TELA: 'Sem tela',
  VENCIDA: 'Conexão vencida',
  INATIVO: 'Inativo',
}

/** Returns 'há 5 min'. A screen that has asked for nothing yet was seen when it was connected. */
export const seenText = ({ conectadaEm, vistaEm }: Screen, now: number): string =>
  conectadaEm ? relativeTime(vistaEm ?? conectadaEm, now) : '—'

export const expiryText = ({ expiraEm }: Screen): string => (expiraEm ? fullTime(expiraEm) : '—')

/** Returns '3 páginas, 1 fora da rotação'. */
export const pagesText = ({ paginas }: Pick<Kiosk, 'paginas'>): string => {
  const out = paginas.filter(({ impedimento }) => impedimento !== null).length
  const all = paginas.length === 1 ? '1 página' : `${paginas.length} páginas`
  return out === 0 ? all : `${all}, ${out} fora da rotação`
}

/** Returns 'BCDF-GHJK' for what was typed of a code. */
export const typedCode = (typed: string): string => {
  const letters = typed
    .toUpperCase()
    .replace(/[^A-Z]/g, '')
    .slice(0, 8)
  return letters.length > 4 ? `${letters.slice(0, 4)}-${letters.slice(4)}` : letters
}
