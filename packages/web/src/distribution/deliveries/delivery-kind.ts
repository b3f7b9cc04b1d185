import type { Entity, EntityKind } from '@bi-manager/contract'

/** What alerts and subscriptions have in common on screens. */
export interface Delivery {
  /** Null: the viewer may not see it any more. */
  relatorio: { idRelatorio: number; nomeRelatorio: string } | null
  dono: { idUsuario: number; nomeUsuario: string }
  impedimento: string | null
}

/** How the shared screens read, change and name alerts or subscriptions. */
export interface DeliveryKind<T extends Delivery> {
  entity: Pick<Entity, 'list' | 'path'> & { kind: EntityKind }
  idOf: (one: T) => number
  nameOf: (one: T) => string
  isActive: (one: T) => boolean
  /** Whether the user may edit one whose report they see. */
  mayEdit: (one: T, idUsuario: number | undefined) => boolean
  setActive: (id: number, isActive: boolean) => Promise<unknown>
  remove: (id: number) => Promise<unknown>
  /** The page with those of all people. */
  all: string
  /** What a deletion ends. */
  consequence: string
  texts: ReturnType<typeof deliveryTexts>
}

/**
 * Returns what the shared screens say.
 * @param o its article, which ends the words that agree with it
 */
export const deliveryTexts = (one: 'alerta' | 'assinatura', o: 'o' | 'a', history: string) => {
  const title = capital(one)
  const [its, it, own] = o === 'o' ? ['este', 'Ele', 'eu'] : ['esta', 'Ela', 'ua']
  return {
    title,
    history: capital(history),
    showHistory: `Ver ${history}`,
    counted: [one, `${one}s`] as [string, string],
    about: `${o.toUpperCase()} ${one}`,
    actions: `Ações d${o} ${one}`,
    add: `Nov${o} ${one}`,
    edit: `Editar ${one}`,
    removing: { question: `Deseja mesmo excluir ${its} ${one}?`, done: `${title} excluíd${o}!` },
    loading: `Carregando ${o} ${one}`,
    loadingAll: `Carregando ${o}s ${one}s`,
    failed: `${o.toUpperCase()} ${one} não carregou`,
    missing: `${title} não encontrad${o}`,
    gone: `${it} pode ter sido excluíd${o}.`,
    own: `S${own} ${one}`,
    allOwn: `S${own}s ${one}s`,
    everyOwn: `Tod${o}s ${o}s s${own}s ${one}s`,
    allOfAll: `${title}s de todos`,
    show: `Ver ${o}s ${one}s`,
  }
}

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`
