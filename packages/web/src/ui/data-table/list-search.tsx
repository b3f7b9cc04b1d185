import { CloseButton, Kbd, Loader, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import type { ListState } from '../../lib/lists/list-state.ts'
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
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented)
        return
      if (isTyping(event.target) || document.querySelector('[role="dialog"]')) return
      event.preventDefault()
      field.current?.focus()
      field.current?.select()
    }
    document.addEventListener('keydown', handleKey)
    return () => document.removeEventListener('keydown', handleKey)
  }, [])

  return (
    <TextInput
      ref={field}
      type="search"
      className={classes.search}
      aria-label={label}
      aria-keyshortcuts="/"
      placeholder={label}
      maxLength={200}
      leftSection={isBusy ? <Loader size={16} aria-hidden /> : <IconSearch size={17} aria-hidden />}
      rightSection={
        typed ? (
          <CloseButton
            aria-label="Limpar busca"
            onClick={() => {
              type('')
              field.current?.focus()
            }}
          />
        ) : (
          <Kbd className={classes.shortcut} aria-hidden>
            /
          </Kbd>
        )
      }
      value={typed}
      onChange={(event) => type(event.currentTarget.value)}
    />
  )
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
