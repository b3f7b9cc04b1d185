import { Kbd } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useRef } from 'react'
import type { ListState } from '../../lib/lists/list-state.ts'
import { SearchField } from '../search-field.tsx'
import shared from '../shared.module.css'
import classes from './data-table.module.css'

interface ListSearchProps {
  /** 'Buscar workspace'. */
  label: string
  state: Pick<ListState, 'typed' | 'type'>
  isBusy: boolean
}

/** A list's search field. The '/' key focuses it, except in a field or with a dialog open. */
export const ListSearch = ({ label, state: { typed, type }, isBusy }: ListSearchProps) => {
  const field = useRef<HTMLInputElement>(null)
  const focus = (event: KeyboardEvent) => {
    if (event.defaultPrevented || document.querySelector('[role="dialog"]')) return
    event.preventDefault()
    field.current?.focus()
    field.current?.select()
  }
  const options = { preventDefault: false }
  // Some keyboards have '/' on a shifted key.
  useHotkeys([
    ['/', focus, options],
    ['shift+/', focus, options],
  ])
  return (
    <SearchField
      ref={field}
      label={label}
      className={classes.search}
      aria-keyshortcuts="/"
      isBusy={isBusy}
      isClearable
      rightSection={
        <Kbd className={`${shared.dimmed} ${classes.shortcut}`} aria-hidden>
          /
        </Kbd>
      }
      value={typed}
      onChange={(text) => {
        type(text)
        // The button that empties the field is no longer rendered.
        if (text === '') field.current?.focus()
      }}
    />
  )
}
