import type { Fault } from './faults.ts'
import type { gainsOf, sampleMemory } from './memory-samples.ts'
import type { Tally } from './tally.ts'

interface Hour {
  minutes: number
  rate: number
  startedAt: number
  tally: Tally
  made: { fault: Fault; at: number }[]
  streams: { connections: number; events: number; longestGapMs: number }
  memory: ReturnType<typeof sampleMemory>['samples']
  gains: ReturnType<typeof gainsOf>
}

const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(3).replace('.', ',')} %`
const table = (head: string[], rows: (string | number)[][]) =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')

const countBy = (all: string[]) =>
  Object.entries(Object.groupBy(all, (one) => one))
    .map(([one, same]) => [one, same?.length ?? 0] as const)
    .sort(([, a], [, b]) => b - a)

/** Writes the results of the hour as a page of the manual. */
export const hourReport = (hour: Hour): string => {
  const { minutes, tally, made, streams, memory, gains, startedAt } = hour
  const total = tally.total()
  const within = <T extends { at: number }>(all: T[], n: number) =>
    all.filter(({ at }) => at >= (made[n]?.at ?? 0) && at < (made[n + 1]?.at ?? Number.POSITIVE_INFINITY))
  const before = tally.failures.filter(({ at }) => at < (made[0]?.at ?? 0)).length
  const rows = made.map(({ fault, at }, n) => {
    const lost = within(tally.lost, n)
    const late = within(tally.late, n)
    const slowest = Math.max(0, ...late.map(({ ms }) => ms))
    const minute = Math.round((at - startedAt) / 60_000)
    const name = fault.absent ? `${fault.name} (pulado: ${fault.absent})` : fault.name
    return [
      minute,
      name,
      lost.length,
      late.length,
      `${(slowest / 1000).toFixed(1).replace('.', ',')} s`,
      within(tally.failures, n).length,
    ]
  })
  const names = Object.keys(memory[0]?.processes ?? {})
  const step = Math.max(1, Math.floor(memory.length / 12))
  const shown = memory.filter(({ minute }) => minute % step === 0)
  return `# Uma hora de falhas

Um teste automático provoca falhas em uma instalação com vários nós e conta o que as pessoas notam. A instalação tem
três nós atrás de HAProxy e PgBouncer, um primário com *standby* síncrono e dois serviços de relatórios. Ela é montada
com os arquivos e comandos de [Vários nós](../manual/varios-nos.md).

- Teste: \`scripts/nodes/hour-of-faults.long.ts\`.
- Duração: ${minutes} minutos, com uma falha a cada ${String(minutes / 12).replace('.', ',')} minutos.
- Carga: ${hour.rate} ações por segundo, uma exportação por minuto e seis janelas com avisos ao vivo.
- Ações: entradas, menu, listas, abertura de relatórios com suas páginas, prontuários lidos e gravados, permissões,
  envio e leitura de anexos, convites.

| coluna | o que conta |
| --- | --- |
| sem resposta boa | toda tentativa que não teve uma |
| repetidas | chamadas que o navegador repetiu sozinho, pelas regras do portal, e que deram certo em até 10 segundos |
| falharam | o que uma pessoa teria visto falhar, depois disso; uma gravação nunca é repetida sozinha |

Chamadas: ${total}. Falharam: ${tally.failures.length} (${percent(tally.failures.length, total)}), ${before} delas antes da primeira falha. Sem mensagem clara: ${tally.failures.filter(({ isClear }) => !isClear).length}.

${table(['minuto', 'falha', 'sem resposta boa', 'repetidas', 'espera mais longa', 'falharam'], rows)}

## O que as pessoas leram

${table(
  ['vezes', 'chamada', 'resposta'],
  countBy(tally.failures.map(({ kind, what }) => `${kind} | ${what}`)).map(([what, times]) => [times, what]),
)}

Avisos ao vivo: ${streams.connections} conexões, ${streams.events} avisos; a janela que mais ficou sem eles esperou ${(streams.longestGapMs / 1000).toFixed(1).replace('.', ',')} s.

## Chamadas

${table(
  ['chamada', 'vezes'],
  [...tally.calls].sort(([, a], [, b]) => b - a).map(([kind, times]) => [kind, times]),
)}

## Memória residente (MB)

${table(
  ['minuto', ...names],
  shown.map(({ minute, processes }) => [minute, ...names.map((name) => processes[name]?.megabytes ?? 0)]),
)}

Ganho na segunda metade da vida de cada processo (média do último quarto menos a do segundo): ${Object.entries(
    gains,
  )
    .map(([name, megabytes]) => `${name} ${megabytes} MB`)
    .join(', ')}.
`
}
