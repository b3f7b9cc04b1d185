import { type PGlite, parse, protocol } from '@electric-sql/pglite'
import { LONGEST_KEPT } from './longest-kept.ts'

const { serialize } = protocol

/** Statements kept parsed, each with its plan once PostgreSQL has settled on one: 30 KB for most, hundreds for the longest. */
const KEPT = 200

/** The one channel that is listened to. */
const SESSIONS_CHANGED = 'sessao_mudou'

interface Prepared {
  name: string
  /** Type of each parameter, as PostgreSQL inferred it. */
  types: number[]
  /** What names and types the columns of its rows; undefined where it answers none. */
  description: BackendMessage | undefined
}

type BackendMessage = Awaited<ReturnType<PGlite['execProtocol']>>['messages'][number]
type Serialized = Parameters<typeof serialize.bind>[0] extends { values?: (infer V)[] } | undefined
  ? V
  : never

interface Result {
  rows: object[]
  affectedRows: number | undefined
  /** What PostgreSQL says that it did: `ROLLBACK` where a broken transaction was to be committed. */
  command: string | undefined
  /** It, or the transaction that it committed, changed what decides whose session is whose. */
  sessionsChanged: boolean
}

/**
 * Runs statements by PostgreSQL's own protocol: the text of one with parameters is parsed once and sent by name from then on,
 * its bind, execute and sync in one go. `PGlite.query` parses and plans anew each time, in six goes.
 */
export const createStatements = (pglite: PGlite) => {
  const kept = new Map<string, Prepared>()
  let named = 0

  const send = (...parts: Uint8Array[]): Promise<BackendMessage[]> =>
    pglite.execProtocolStream(Buffer.concat(parts), { syncToFs: false })

  const prepare = async (text: string): Promise<Prepared> => {
    const known = kept.get(text)
    if (known) {
      // The latest used stand last.
      kept.delete(text)
      kept.set(text, known)
      return known
    }
    const isKept = text.length <= LONGEST_KEPT
    // Without a name it lasts until the next such one.
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

  /** The simple protocol takes several statements at once, as a migration needs. */
  const runSimple = async (text: string): Promise<Result> => {
    const messages = await send(serialize.query(text))
    // What tables look like may be another: a kept statement answers by the columns that it knew.
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
     * From here on, results tell of changes of sessions: triggers notify (migration 0011), and a notification comes with the
     * answer to what committed it.
     * @throws Error where it does not
     */
    listen: async (): Promise<void> => {
      await runSimple(`listen ${SESSIONS_CHANGED}`)
      const { sessionsChanged } = await runSimple(`select pg_notify('${SESSIONS_CHANGED}', '')`)
      if (!sessionsChanged) throw new Error('The embedded database does not tell of changes of sessions.')
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
