import {
  type AuditAction,
  type AuditEntry,
  auditActions,
  auditedNameText,
  auditObjectKinds,
  entities,
} from '@bi-manager/contract'

/**
 * Returns the Portuguese text of an action, or the action itself if this version does not know it.
 */
export const actionText = (acao: string): string => (isAction(acao) ? auditActions[acao] : acao)

export const isAction = (text: string | null): text is AuditAction =>
  text !== null && Object.hasOwn(auditActions, text)

const nounOf = (acao: string): string => acao.split('.')[0] ?? ''

/** Groups of actions by the word before the dot. */
const groups: [title: string, nouns: string[]][] = [
  ['Acessos', ['session', 'access', 'embed', 'menu', 'mcp']],
  ['Contas e senhas', ['account', 'password', 'second-factor', 'api-key']],
  ['Usuários e permissões', ['user', 'profile', 'grants']],
  ['Cadastros', []],
  ['Prontuários e anexos', ['beneficiary', 'record', 'attachment']],
  ['Proteção de dados', ['access-log', 'retention', 'incident']],
  ['Sistema', []],
]

const groupOf = (acao: string): string =>
  groups.find(([, nouns]) => nouns.includes(nounOf(acao)))?.[0] ??
  (entities.some(({ actions }) => Object.hasOwn(actions, acao)) ? 'Cadastros' : 'Sistema')

/** Returns all actions by group, for the filter. */
export const actionGroups = (): { group: string; items: { value: string; label: string }[] }[] => {
  const items = Object.entries(auditActions).map(([value, label]) => ({ value, label }))
  return groups.map(([group]) => ({ group, items: items.filter(({ value }) => groupOf(value) === group) }))
}

/**
 * The kinds of objects that can be filtered by name or number; the settings are a single object.
 */
export const objectKinds: Record<string, string> = auditObjectKinds

/** Returns the Portuguese text of an object, or the object itself if there is none. */
export const objectText = (objeto: string): string => auditedNameText(objeto, undefined) ?? objeto

export const objectParts = (objeto: string): { kind: string; id: string } => {
  const colon = objeto.indexOf(':')
  return colon < 0 ? { kind: objeto, id: '' } : { kind: objeto.slice(0, colon), id: objeto.slice(colon + 1) }
}

const ofTheSystem = ['installation', 'audit', 'secrets', 'backup', 'database', 'environment']

export const personText = ({
  idUsuario,
  nomeUsuario,
  acao,
  nomes,
}: Pick<AuditEntry, 'idUsuario' | 'nomeUsuario' | 'acao' | 'nomes'>): string => {
  if (nomeUsuario !== null) return nomeUsuario
  if (idUsuario !== null) {
    const { nome = null } = nomes[`usuario:${idUsuario}`] ?? {}
    return auditedNameText(`usuario:${idUsuario}`, { nome, existe: false }) ?? ''
  }
  return ofTheSystem.includes(nounOf(acao)) ? 'O próprio sistema' : 'Não identificado'
}
