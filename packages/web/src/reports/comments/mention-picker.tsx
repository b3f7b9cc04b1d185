import type { MentionedPerson } from '@bi-manager/contract'
import { Combobox, type ComboboxStore, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import {
  type KeyboardEvent,
  type ReactElement,
  type RefObject,
  type SyntheticEvent,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { messageOf } from '../../lib/api/api.ts'
import { SEARCH_DELAY_MS } from '../../lib/lists/list-state.ts'
import { matchesSearch } from '../../lib/text/search-text.ts'
import '../../ui/search-select/search-select-mantine.css'
import options from '../../ui/search-select/search-select.module.css'
import shared from '../../ui/shared.module.css'
import { peopleQuery } from './comments-queries.ts'
import { type CommentDraft, typedMention, withMention } from './mention-text.ts'

interface PickerOptions {
  idRelatorio: number
  draft: CommentDraft
  field: RefObject<HTMLTextAreaElement | null>
  onChange: (draft: CommentDraft) => void
}

type Picker = ReturnType<typeof useMentionPicker>

/** Suggests people after an `@` in the field. Only those who may open the report are found. */
export const useMentionPicker = ({ idRelatorio, draft, field, onChange }: PickerOptions) => {
  const [caret, setCaret] = useState(0)
  /** Where the `@` is whose list was closed. */
  const [closedAt, setClosedAt] = useState<number>()
  const nextCaret = useRef<number>(undefined)
  const typed = typedMention(draft, caret)
  const isWanted = typed !== undefined && typed.start !== closedAt
  const [busca] = useDebouncedValue(typed?.busca ?? '', SEARCH_DELAY_MS)
  const {
    data: people,
    error,
    isPlaceholderData,
  } = useQuery({
    ...peopleQuery(idRelatorio, busca),
    enabled: isWanted,
    placeholderData: keepPreviousData,
    retry: false,
  })
  // Enter must never take a person of the previous search.
  const matching = people?.filter(({ nome }) => matchesSearch(nome, typed?.busca ?? '')) ?? []
  const isAnswered = typed?.busca === busca && !isPlaceholderData && (people !== undefined || error !== null)
  // A text after an `@` that is not a name needs no list.
  const hasMessage = isAnswered && !busca.includes(' ')
  const isOpen = isWanted && (matching.length > 0 || hasMessage)
  const close = () => setClosedAt(typed?.start)
  const store = useCombobox({ opened: isOpen, onDropdownClose: close })
  useFirstOption(store, isOpen ? matching[0]?.idUsuario : undefined)

  useLayoutEffect(() => {
    const at = nextCaret.current
    if (at === undefined) return
    nextCaret.current = undefined
    field.current?.setSelectionRange(at, at)
    setCaret(at)
  })

  const change = (next: { draft: CommentDraft; caret: number }) => {
    nextCaret.current = next.caret
    field.current?.focus()
    onChange(next.draft)
  }
  return {
    store,
    isOpen,
    people: matching,
    error,
    close,
    pick: (id: string) => {
      const person = matching.find(({ idUsuario }) => String(idUsuario) === id)
      if (person && typed) change(withMention(draft, { start: typed.start, end: caret, person }))
    },
    /** Types an `@` for a person who uses the button. */
    begin: () => {
      const at = field.current?.selectionStart ?? draft.texto.length
      const before = draft.texto.slice(0, at)
      const head = `${before}${before === '' || /\s$/.test(before) ? '' : ' '}@`
      setClosedAt(undefined)
      change({ draft: { ...draft, texto: head + draft.texto.slice(at) }, caret: head.length })
    },
    handleSelect: ({ currentTarget }: SyntheticEvent<HTMLTextAreaElement>) => {
      setCaret(currentTarget.selectionStart)
      // Another `@` has a list of its own.
      if (typedMention(draft, currentTarget.selectionStart)?.start !== closedAt) setClosedAt(undefined)
    },
    /** @returns whether the key belongs to the open list */
    handleKeyDown: (event: KeyboardEvent): boolean => {
      if (!isOpen || event.key !== 'Escape') return isOpen && event.key === 'Enter' && matching.length > 0
      // The form and the panel stay open.
      event.stopPropagation()
      close()
      return true
    },
  }
}

export const MentionPicker = ({ picker, children }: { picker: Picker; children: ReactElement }) => (
  <Combobox
    store={picker.store}
    onOptionSubmit={picker.pick}
    position="bottom-start"
    // In place: a portal would leave the panel, or the open dialog, which hides the rest.
    withinPortal={false}
    keepMounted={false}
  >
    <Combobox.Target withKeyboardNavigation={picker.isOpen}>{children}</Combobox.Target>
    <Combobox.Dropdown hidden={!picker.isOpen} className={options.dropdown}>
      <Combobox.Options className={options.options} aria-label="Pessoas que veem este relatório">
        {picker.people.map((person) => (
          <PersonOption key={person.idUsuario} person={person} />
        ))}
      </Combobox.Options>
      {picker.error ? (
        <div className={options.message} role="alert">
          {messageOf(picker.error)}
        </div>
      ) : (
        picker.people.length === 0 && (
          <div className={options.message} role="status">
            Ninguém com este nome vê o relatório.
          </div>
        )
      )}
    </Combobox.Dropdown>
  </Combobox>
)

const PersonOption = ({ person: { idUsuario, nome } }: { person: MentionedPerson }) => (
  <Combobox.Option value={String(idUsuario)} className={`${shared.row} ${options.option}`}>
    {nome}
  </Combobox.Option>
)

/** Selects the first person, so that Enter takes the best match. */
const useFirstOption = (store: ComboboxStore, first: number | undefined) => {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the store is a new object at each render
  useEffect(() => {
    if (first !== undefined) store.selectFirstOption()
  }, [first])
}
