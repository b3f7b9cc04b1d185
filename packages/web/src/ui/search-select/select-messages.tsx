import { messageOf } from '../../lib/api/api.ts'
import { ActionButton } from '../action-button.tsx'
import shared from '../shared.module.css'
import classes from './search-select.module.css'
import { MAX_OPTIONS } from './select-options.ts'

interface SelectMessagesProps {
  /** Undefined while loading. */
  count: number | undefined
  /** The label of the option that Enter chooses. */
  enterChooses: string | undefined
  isCut: boolean
  emptyText: string | undefined
  error: unknown
  isFetching: boolean
  onRetry: () => void
}

/** The messages of an open list: loading, empty, truncated, failed. */
export const SelectMessages = ({
  count,
  enterChooses,
  isCut,
  emptyText,
  error,
  isFetching,
  onRetry,
}: SelectMessagesProps) => {
  if (error && !isFetching)
    return (
      <div className={classes.message} role="alert">
        {messageOf(error)}
        {/* A press must not blur the field, which would close the list. */}
        <ActionButton
          label="Tentar novamente"
          size="xs"
          mt="xs"
          tabIndex={-1}
          onMouseDown={(event) => event.preventDefault()}
          onClick={onRetry}
        />
      </div>
    )
  if (count === undefined)
    return (
      <div className={classes.message} role="status">
        Carregando…
      </div>
    )
  if (count === 0)
    return (
      <div className={emptyText ? classes.message : shared.screenReaderOnly} role="status">
        {emptyText}
      </div>
    )
  return (
    <>
      <div className={shared.screenReaderOnly} role="status">
        {count === 1 ? '1 opção.' : `${count} opções.`} {enterChooses && `Enter escolhe ${enterChooses}.`}
      </div>
      {isCut && (
        <div className={classes.hint}>Mostrando os primeiros {MAX_OPTIONS}. Digite para refinar.</div>
      )}
    </>
  )
}
