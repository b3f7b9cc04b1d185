import type { SubscribedVisual, Subscription } from '@bi-manager/contract'
import type { Sending } from '../subscription-texts.ts'

interface Content {
  /** What is on the screen, what is stored, or a saved view. */
  conteudo: 'TELA' | 'GRAVADO' | number
  inteiro: boolean
  envio: Sending
}

interface Sources {
  base: Pick<Subscription, 'pagina' | 'visuais'> | undefined
  screen: { pagina: string | null; visuais?: SubscribedVisual[] | undefined } | undefined
}

/** The visuals that a spreadsheet may be of. */
export interface VisualOptions {
  /** Those of the page; undefined when the page is not on the screen. */
  known: SubscribedVisual[] | undefined
  /** Stored ones that the page lacks, or all stored ones when the page is not on the screen. */
  stored: SubscribedVisual[]
}

/** Returns the visuals that may be chosen for the page of the content. */
export const visualOptions = (
  { conteudo }: Pick<Content, 'conteudo'>,
  { base, screen }: Sources,
): VisualOptions => {
  if (conteudo === 'TELA') return { known: screen?.visuais, stored: [] }
  const chosen = (conteudo === 'GRAVADO' && base?.visuais) || []
  const known = screen && screen.pagina === base?.pagina ? screen.visuais : undefined
  return { known, stored: chosen.filter(({ nome }) => !known?.some((one) => one.nome === nome)) }
}

/** Whether visuals may be chosen: a saved view and the whole report have all of them. */
export const mayChooseVisuals = ({ envio, inteiro, conteudo }: Content): boolean =>
  envio === 'XLSX' && !inteiro && typeof conteudo !== 'number'

/** Returns the ticked names as they are kept: null for all visuals of the page. */
export const keptVisuals = (ticked: string[], { known }: VisualOptions): string[] | null => {
  const isAll = known?.length === ticked.length && known.every(({ nome }) => ticked.includes(nome))
  return isAll ? null : ticked
}

/** Returns the visuals as the contract takes them; empty: all of the page. */
export const chosenVisuals = (
  visuais: readonly string[] | null,
  { known = [], stored }: VisualOptions,
): SubscribedVisual[] =>
  visuais === null ? [] : [...known, ...stored].filter(({ nome }) => visuais.includes(nome))
