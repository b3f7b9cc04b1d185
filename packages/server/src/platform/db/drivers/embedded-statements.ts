import { type PGlite, parse, protocol } from '@electric-sql/pglite'
import { LONGEST_PREPARED_STATEMENT } from './longest-kept.ts'

const { serialize } = protocol

/** Prepared statements kept, each with its plan: usually 30 KB, up to several hundred. */
const KEPT = 200

/** The notification channel for changes of sessions. */
const SESSIONS_CHANGED = 'sessao_mudou'

interface Prepared {
  name: string
  /** Type of each parameter, as PostgreSQL inferred it. */
  types: number[]
  /** Names and types of the result's columns; undefined for statements without rows. */
  description: BackendMessage | undefined
}

type BackendMessage = Awaited<ReturnType<PGlite['execProtocol']>>['messages'][number]
type Serialized = Parameters<typeof serialize.bind>[0] extends { values?: (infer V)[] } | undefined
  ? V
  : never

interface Result {
  rows: object[]
  affectedRows: number | undefined
  /** PostgreSQL's command tag: `ROLLBACK` when a failed transaction is committed. */
  command: string | undefined
  /** Whether the statement, or the transaction it committed, changed session data. */
  sessionsChanged: boolean
}

/**
 * Runs statements over PostgreSQL's protocol: a statement with parameters is parsed once, then sent
 * by name, with bind, execute and sync in one message. `PGlite.query` parses and plans at every
 * call, in six messages.
 */
export const createStatements = (pglite: PGlite) => {
  const kept = new Map<string, Prepared>()
  let named = 0

  const send = (...parts: Uint8Array[]): Promise<BackendMessage[]> =>
    pglite.execProtocolStream(Buffer.concat(parts), { syncToFs: false })

  const prepare = async (text: string): Promise<Prepared> => {
    const known = kept.get(text)
    if (known) {
      // The map's order is the order of use, latest last.
      kept.delete(text)
      kept.set(text, known)
      return known
    }
    const isKept = text.length <= LONGEST_PREPARED_STATEMENT
    // An unnamed statement lasts until the next unnamed one.
    if (isKept) named += 1
    const name = isKept ? `s${named}` : ''
    const messages = await send(
      serialize.parse({ name, text }),
      serialize.describe({ type: 'S', name }),
      serialize.sync(),
    )
    const types = messages.find(isParameterDescription)?.dataTypeIDs ?? []
    const prepared = { name, types, description: messages.find(({ name }) => name === 'rowDescription') }
    if (!isKept) return prepared
    kept.set(text, prepared)
    const [oldest] = kept
    if (kept.size > KEPT && oldest) {
      kept.delete(oldest[0])
      await send(serialize.close({ type: 'S', name: oldest[1].name }), serialize.sync())
    }
    return prepared
  }

  const bound = ({ name, types }: Prepared, parameters: unknown[]): Uint8Array =>
    serialize.bind({
      statement: name,
      values: parameters.map((value, index) => serialized(pglite, value, types[index])),
    })

  const runPrepared = async (text: string, parameters: unknown[]): Promise<Result> => {
    const prepared = await prepare(text)
    const messages = await send(bound(prepared, parameters), serialize.execute({}), serialize.sync())
    return resultOf(prepared.description ? [prepared.description, ...messages] : messages)
  }

  /** The simple protocol takes several statements in one text, as migrations need. */
  const runSimple = async (text: string): Promise<Result> => {
    const messages = await send(serialize.query(text))
    // Tables may have changed: a prepared statement would answer with the old columns.
    if (messages.some(changesTables) && kept.size > 0) {
      kept.clear()
      await send(serialize.query('deallocate all'))
    }
    return resultOf(messages)
  }

  const resultOf = (messages: BackendMessage[]): Result => {
    const last = parse.parseResults(messages as never, pglite.parsers).at(-1)
    return {
      rows: (last?.rows ?? []) as object[],
      affectedRows: last?.affectedRows,
      command: last?.command,
      sessionsChanged: messages.some(({ name }) => name === 'notification'),
    }
  }

  return {
    /**
     * From this call on, results report changes of sessions: triggers notify (migration 0011), and
     * the notification arrives with the answer to its commit.
     * @throws Error when it does not arrive
     */
    listen: async (): Promise<void> => {
      await runSimple(`listen ${SESSIONS_CHANGED}`)
      const { sessionsChanged } = await runSimple(`select pg_notify('${SESSIONS_CHANGED}', '')`)
      if (!sessionsChanged)
        throw new Error('The embedded database does not notify about changes of sessions.')
    },

    /** @throws DatabaseError with PostgreSQL's code */
    run: (text: string, parameters: unknown[]): Promise<Result> =>
      parameters.length === 0 ? runSimple(text) : runPrepared(text, parameters),
  }
}

const serialized = (pglite: PGlite, value: unknown, type = 0): Serialized => {
  if (value === null || value === undefined) return null
  const serialize = pglite.serializers[type]
  return serialize ? serialize(value) : String(value)
}

const isParameterDescription = (
  message: BackendMessage,
): message is BackendMessage & { dataTypeIDs: number[] } => message.name === 'parameterDescription'

const changesTables = (message: BackendMessage): boolean =>
  message.name === 'commandComplete' &&
  /^(CREATE|ALTER|DROP)\b/.test((message as { text?: string }).text ?? '')
