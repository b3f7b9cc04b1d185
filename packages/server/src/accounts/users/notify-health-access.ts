import type { User } from '@bi-manager/contract'
import type { Db } from '../../platform/db/open-database.ts'
import { notify } from '../../platform/notifications/notify.ts'

type Flags = Pick<User, 'idUsuario' | 'nomeUsuario' | 'acessoProntuario' | 'encarregadoDados'>

interface Changed {
  before: Flags
  after: Flags
  /** Who changed it: the subject of the sentence, and the id of an ADMIN, who is not notified. */
  by: { name: string; idUsuario?: number }
}

const flags = [
  { field: 'acessoProntuario', title: 'Acesso a prontuários', what: 'o acesso a prontuários' },
  { field: 'encarregadoDados', title: 'Encarregado de dados', what: 'a função de encarregado de dados' },
] as const

/** Notifies the user, ADMINs and data protection officers of a changed health-data flag. */
export const notifyHealthAccess = async (
  tx: Db,
  { before, after, by }: Changed,
  now: Date,
): Promise<void> => {
  const changed = flags.filter(({ field }) => before[field] !== after[field])
  if (changed.length === 0) return
  const { idUsuario, nomeUsuario } = after
  for (const { field, title, what } of changed) {
    const titulo = `${title}: ${after[field] ? 'concedido' : 'retirado'}`
    const verb = after[field] ? 'deu' : 'retirou'
    const from = after[field] ? 'a' : 'de'
    const kind = 'acesso_saude_alterado'
    const but = [by.idUsuario ?? 0]
    const own = { titulo, texto: `${by.name} ${verb} ${from} você ${what}.` }
    await notify(tx, { audience: [idUsuario], but, kind, bell: own }, now)
    const bell = { titulo, texto: `${by.name} ${verb} ${from} ${nomeUsuario} ${what}.` }
    await notify(tx, { audience: 'guardioes', but: [idUsuario, ...but], kind, bell }, now)
  }
}
