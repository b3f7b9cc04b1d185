import {
  CloseButton,
  Combobox,
  type ComboboxStore,
  InputBase,
  Loader,
  Stack,
  useCombobox,
} from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { hashKey, type QueryKey, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, type Ref, useEffect, useState } from 'react'
import { SEARCH_DELAY_MS } from '../../lib/lists/list-state.ts'
import { normalised } from '../../lib/text/search-text.ts'
import { ActionButton } from '../action-button.tsx'
import { fitHeight } from './fit-height.ts'
import './search-select-mantine.css'
import shared from '../shared.module.css'
import { scrollIntoRoom } from './scroll-into-room.ts'
import classes from './search-select.module.css'
import { SelectMessages } from './select-messages.tsx'
import { MAX_OPTIONS, notChosen, type OptionSearch, type SelectOption } from './select-options.ts'

interface SearchSelectProps<V extends string | number> {
  label: ReactNode
  /** Hides the label (a string) visually, as for a list's filter. */
  hideLabel?: boolean
  value: SelectOption<V> | null
  onChange: (option: SelectOption<V> | null) => void
  /** Finds the options on the server; `searchOptions` builds one from a list endpoint. */
  search: OptionSearch<V>
  /** The query key; must contain everything that `search` depends on. */
  queryKey: QueryKey
  placeholder?: string
  emptyText?: string
  /** Shown above the options: the open list covers the description below the field. */
  notice?: string | undefined
  /** Offers the typed text as a value (an id typed by hand); undefined refuses it. */
  typedOption?: (text: string) => SelectOption<V> | undefined
  /** A last line, such as 'Adicionar “X”'; gets the typed text and the results. */
  extra?:
    | {
        labelOf: (text: string, options: SelectOption<V>[]) => string | undefined
        onChoose: (text: string) => void
      }
    | undefined
  /** Keeps a text that is left without choosing, says so, and offers `extra` below the field. */
  keepsText?: boolean
  description?: ReactNode
  error?: ReactNode
  name?: string
  required?: boolean
  disabled?: boolean
  autoFocus?: boolean
  /** Called with the text as it is typed; '' when cleared. */
  onSearch?: (text: string) => void
  /** Called when a text that is not a choice is left in the field, and when it no longer is. */
  onLeft?: (isLeft: boolean) => void
  ref?: Ref<HTMLInputElement>
}

const TYPED = '\u0000typed'
const EXTRA = '\u0000extra'

/**
 * A dropdown whose options are searched on the server while typing.
 * Holds an option (value and label) or null. Opens by click, typing
 * or arrow keys; closes on blur, so that only one is open at a time.
 */
export const SearchSelect = <V extends string | number>({
  value,
  onChange,
  search,
  queryKey,
  emptyText = 'Nenhum resultado encontrado!',
  notice,
  typedOption,
  extra,
  keepsText = false,
  onSearch,
  onLeft,
  label,
  hideLabel = false,
  error: given,
  ...input
}: SearchSelectProps<V>) => {
  const combobox = useCombobox({
    onDropdownOpen: () => scrollIntoRoom(combobox.targetRef.current),
    onDropdownClose: () => {
      combobox.resetSelectedOption()
      if (!keepsText) setText(undefined)
    },
  })
  /** The field was left with a text that is not a choice, and the text is still the same. */
  const [isLeft, setIsLeft] = useState(false)
  const setLeft = (isIt: boolean) => {
    setIsLeft(isIt)
    onLeft?.(isIt)
  }
  /** Undefined: the field shows the label of the choice. */
  const [text, setText] = useState<string>()
  const [searched] = useDebouncedValue(text?.trim() ?? '', SEARCH_DELAY_MS)
  const opened = combobox.dropdownOpened
  const wanted = text === undefined ? '' : searched
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    queryKey: [...queryKey, 'opcoes', wanted],
    queryFn: ({ signal }) => search(wanted, signal),
    enabled: opened || isLeft,
    // Placeholder while typing; never results of another `queryKey` (groups of another connection).
    placeholderData: (previous, query) =>
      query && hashKey(query.queryKey.slice(0, -2)) === hashKey(queryKey) ? previous : undefined,
  })
  const options = data?.slice(0, MAX_OPTIONS)
  const typed = text?.trim() ? typedOption?.(text.trim()) : undefined
  const isTypedListed = options?.some((option) => option.value === typed?.value)
  // Only results of this very text: Enter must never take an option of the previous search.
  const isAnswered = options !== undefined && searched === (text?.trim() ?? '') && !isPlaceholderData
  const extraLabel = isAnswered ? extra?.labelOf(searched, options) : undefined
  const isSettled = isAnswered && searched !== '' && options.length > 0
  useFirstOption(combobox, opened && isSettled, wanted)

  const left = isLeft ? text?.trim() : undefined
  /** What is wrong with a text that was left; undefined while it is searched. */
  const fault =
    left && (isAnswered || error) ? faultOf(left, { mayAdd: !!extraLabel, isMissing: !!given }) : undefined
  const take = (option: SelectOption<V>) => {
    onChange(option)
    setText(undefined)
    setLeft(false)
  }
  /** The only option that is called like the typed text; undefined until the results are there. */
  const sameName = isSettled ? onlyNamed(options ?? [], text ?? '') : undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: once the results of a text that was left arrive
  useEffect(() => {
    if (left && sameName) take(sameName)
  }, [left, sameName])

  const leave = () => {
    combobox.closeDropdown()
    const typedText = text?.trim()
    if (!keepsText || !typedText) return setText(undefined)
    if (sameName) return take(sameName)
    // The text replaces the choice, which would otherwise be saved without being shown.
    if (value) onChange(null)
    setLeft(true)
  }

  const choose = (key: string) => {
    const option = key === TYPED ? typed : options?.find((one) => String(one.value) === key)
    if (key === EXTRA) extra?.onChoose(text?.trim() ?? '')
    else if (option) onChange(option)
    setText(undefined)
    setLeft(false)
    combobox.closeDropdown()
  }

  const handleKeyDown = (event: KeyboardEvent) => {
    if (!opened) return
    // While the list is open, Enter must not submit the form and Esc must not leave it.
    if (event.key === 'Enter') event.preventDefault()
    if (event.key === 'Escape') {
      event.stopPropagation()
      setText(undefined)
      setLeft(false)
    }
  }

  const list = (
    <Combobox
      store={combobox}
      onOptionSubmit={choose}
      middlewares={{ flip: false, shift: true, size: { apply: fitHeight } }}
      // In place: a portal would leave the landmark, or the open dialog, which hides the rest.
      withinPortal={false}
      keepMounted={false}
    >
      <Combobox.Target withExpandedAttribute>
        <InputBase
          {...input}
          // Text that is being searched fills the field; the list asks for the choice.
          error={fault ?? (text ? undefined : given)}
          label={hideLabel ? undefined : label}
          aria-label={hideLabel ? String(label) : undefined}
          autoComplete="off"
          spellCheck={false}
          aria-autocomplete="list"
          value={text ?? value?.label ?? ''}
          onChange={(event) => {
            const next = event.currentTarget.value
            setText(next)
            setLeft(false)
            onSearch?.(next)
            // Clearing the field clears the choice.
            if (next === '' && value) onChange(null)
            combobox.openDropdown()
            combobox.resetSelectedOption()
          }}
          onClick={() => combobox.openDropdown()}
          onFocus={(event) => event.currentTarget.select()}
          onBlur={leave}
          onKeyDown={handleKeyDown}
          rightSectionPointerEvents={value ? 'all' : 'none'}
          rightSection={
            isFetching && opened ? (
              <Loader size={16} aria-hidden />
            ) : value && !input.disabled ? (
              <CloseButton
                size="md"
                iconSize={16}
                aria-label="Limpar seleção"
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => {
                  onChange(null)
                  setText(undefined)
                  setLeft(false)
                  onSearch?.('')
                }}
              />
            ) : (
              <Combobox.Chevron />
            )
          }
        />
      </Combobox.Target>
      <Combobox.Dropdown
        hidden={!opened}
        className={classes.dropdown}
        data-empty={options?.length === 0 || undefined}
      >
        {notice && <div className={classes.notice}>{notice}</div>}
        <Combobox.Options
          className={classes.options}
          aria-label={typeof label === 'string' ? label : undefined}
        >
          {options?.map((option) => (
            <OptionLine key={option.value} option={option} isChosen={option.value === value?.value} />
          ))}
          {typed && !isTypedListed && (
            <Combobox.Option value={TYPED} className={classes.typed}>
              Usar “{typed.label}”
            </Combobox.Option>
          )}
          {extraLabel && (
            <Combobox.Option value={EXTRA} className={classes.typed}>
              {extraLabel}
            </Combobox.Option>
          )}
        </Combobox.Options>
        <SelectMessages
          count={options?.length}
          taken={isSettled ? options?.[0]?.label : undefined}
          isCut={(data?.length ?? 0) >= MAX_OPTIONS}
          emptyText={typed && !isTypedListed ? undefined : emptyText}
          error={error}
          isFetching={isFetching}
          onRetry={() => void refetch()}
        />
      </Combobox.Dropdown>
    </Combobox>
  )
  if (!keepsText) return list
  return (
    <div>
      {list}
      {left && extraLabel && (
        <ActionButton label={extraLabel} size="xs" mt="xs" onClick={() => choose(EXTRA)} />
      )}
      <span role="status" className={shared.screenReaderOnly}>
        {left && (fault ?? extraLabel)}
      </span>
    </div>
  )
}

/** A text that may be added is a fault once the form asks for a value. */
const faultOf = (text: string, { mayAdd, isMissing }: { mayAdd: boolean; isMissing: boolean }) => {
  if (!mayAdd) return notChosen(text)
  return isMissing ? `“${text}” ainda não está cadastrado. Adicione-o ou escolha na lista.` : undefined
}

const onlyNamed = <V extends string | number>(options: SelectOption<V>[], text: string) => {
  const named = options.filter(({ label }) => normalised(label) === normalised(text.trim()))
  return named.length === 1 ? named[0] : undefined
}

const OptionLine = <V extends string | number>({
  option: { value, label, description, mark },
  isChosen,
}: {
  option: SelectOption<V>
  isChosen: boolean
}) => (
  <Combobox.Option
    value={String(value)}
    active={isChosen}
    aria-selected={isChosen}
    className={`${shared.row} ${classes.option}`}
  >
    <Stack component="span" gap={0} className={shared.breakable}>
      <span>{label}</span>
      {description && <span className={`${shared.smallNote} ${classes.description}`}>{description}</span>}
    </Stack>
    {mark && <span className={`${shared.tag} ${classes.mark}`}>{mark}</span>}
  </Combobox.Option>
)

/** Selects the first option while the user types, so that Enter takes the best match. */
const useFirstOption = (combobox: ComboboxStore, isWanted: boolean, searched: string) => {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the store is a new object at each render
  useEffect(() => {
    if (isWanted) combobox.selectFirstOption()
  }, [isWanted, searched])
}
