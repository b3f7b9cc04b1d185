import * as contract from '@bi-manager/contract'
import { type Endpoint, keyGroupsOf, keyGroupTexts, type Reauthentication } from '@bi-manager/contract'

const endpoints: Endpoint[] = Object.entries(contract).flatMap(([name, api]) =>
  name.endsWith('Api') ? (Object.values(api) as Endpoint[]) : [],
)

const textOf = (when: Reauthentication): string => {
  if (when === 'always') return 'sempre'
  return when === 'password' ? 'sempre, e com a senha' : `se ${when.if}`
}

/** Returns the rows of docs/security.md on the calls that need a recent proof, from the contract. */
export const reauthenticationTable = (): string => {
  const rows = endpoints.flatMap((endpoint) => {
    const { method, url, tag, summary, reauthentication } = endpoint
    if (!reauthentication) return []
    const keys = keyGroupsOf(endpoint).map((group) => keyGroupTexts[group].title)
    const cells = [tag, `${summary}: \`${method} ${url}\``, textOf(reauthentication), keys.join(', ') || '–']
    return [`| ${cells.join(' | ')} |`]
  })
  const order = new Intl.Collator('pt-BR')
  return [
    '| área | chamada | pede a confirmação | chaves de API que a alcançam |',
    '|---|---|---|---|',
    ...rows.toSorted(order.compare),
  ].join('\n')
}
