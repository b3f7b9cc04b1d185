import {
  CloseButton,
  Combobox,
  type ComboboxStore,
  InputBase,
  Loader,
  Stack,
  useCombobox,
} from '@mantine/core'
import type { QueryKey } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, type Ref, useEffect, useState } from 'react'
import { normalised } from '../../lib/text/search-text.ts'
import { ActionButton } from '../action-button.tsx'
import { fitHeight } from './fit-height.ts'
import './search-select-mantine.css'
import shared from '../shared.module.css'
import { scrollIntoRoom } from './scroll-into-room.ts'
import classes from './search-select.module.css'
import { SelectMessages } from './select-messages.tsx'
import { notChosen, type OptionSearch, type SelectOption } from './select-options.ts'
import { useOptionSearch } from './use-option-search.ts'

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
  /** Called with true when the field is left with a text that is not a choice, then with false. */
  onLeft?: (isLeft: boolean) => void
  ref?: Ref<HTMLInputElement>
}

const CUSTOM = '\u0000typed'
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
  error: formError,
  ...input
}: SearchSelectProps<V>) => {
  const combobox = useCombobox({
    onDropdownOpen: () => scrollIntoRoom(combobox.targetRef.current),
    onDropdownClose: () => {
      combobox.resetSelectedOption()
      if (!keepsText) setTypedText(undefined)
    },
  })
  const opened = combobox.dropdownOpened
  /** Undefined: the field shows the label of the choice. */
  const [typedText, setTypedText] = useState<string>()
  /** The field was left with a text that is not a choice, and still has that text. */
  const [isTextLeft, setIsTextLeft] = useState(false)
  const markTextLeft = (isIt: boolean) => {
    setIsTextLeft(isIt)
    onLeft?.(isIt)
  }
  const showChoice = () => {
    setTypedText(undefined)
    markTextLeft(false)
  }
  const { options, searchText, answer, hasMatches, isCut, error, isFetching, retry } = useOptionSearch({
    search,
    queryKey,
    typedText,
    isWanted: opened || isTextLeft,
  })
  useFirstOption(combobox, opened && hasMatches, searchText)

  const trimmedText = typedText?.trim() ?? ''
  /** The typed text as a value, such as an id; undefined if `typedOption` refuses it. */
  const customOption = trimmedText ? typedOption?.(trimmedText) : undefined
  const isCustomListed = options?.some((option) => option.value === customOption?.value)
  const extraLabel = answer ? extra?.labelOf(trimmedText, answer) : undefined

  const leftText = isTextLeft ? trimmedText : ''
  /** What is wrong with the text that was left; undefined while it is searched. */
  const leftTextError =
    leftText && (answer || error)
      ? leftTextErrorOf(leftText, { mayAdd: !!extraLabel, isValueMissing: !!formError })
      : undefined
  const chooseOption = (option: SelectOption<V>) => {
    onChange(option)
    showChoice()
  }
  /** The only option with the typed text as its label; undefined until the results are there. */
  const namesake = hasMatches ? onlyNamesake(answer ?? [], trimmedText) : undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: once the results of a text that was left arrive
  useEffect(() => {
    if (leftText && namesake) chooseOption(namesake)
  }, [leftText, namesake])

  const handleBlur = () => {
    combobox.closeDropdown()
    if (!keepsText || !trimmedText) return setTypedText(undefined)
    if (namesake) return chooseOption(namesake)
    // The text replaces the choice, which would otherwise be saved without being shown.
    if (value) onChange(null)
    markTextLeft(true)
  }

  const submitLine = (key: string) => {
    const option = key === CUSTOM ? customOption : options?.find((one) => String(one.value) === key)
    if (key === EXTRA) extra?.onChoose(trimmedText)
    else if (option) onChange(option)
    showChoice()
    combobox.closeDropdown()
  }

  const handleKeyDown = (event: KeyboardEvent) => {
    if (!opened) return
    // While the list is open, Enter must not submit the form and Esc must not leave it.
    if (event.key === 'Enter') event.preventDefault()
    if (event.key === 'Escape') {
      event.stopPropagation()
      showChoice()
    }
  }

  const list = (
    <Combobox
      store={combobox}
      onOptionSubmit={submitLine}
      middlewares={{ flip: false, shift: true, size: { apply: fitHeight } }}
      // In place: a portal would leave the landmark, or the open dialog, which hides the rest.
      withinPortal={false}
      keepMounted={false}
    >
      <Combobox.Target withExpandedAttribute>
        <InputBase
          {...input}
          // While a text is searched, the field is not empty, so the form's error does not apply.
          error={leftTextError ?? (typedText ? undefined : formError)}
          label={hideLabel ? undefined : label}
          aria-label={hideLabel ? String(label) : undefined}
          autoComplete="off"
          spellCheck={false}
          aria-autocomplete="list"
          value={typedText ?? value?.label ?? ''}
          onChange={(event) => {
            const next = event.currentTarget.value
            setTypedText(next)
            markTextLeft(false)
            onSearch?.(next)
            // Clearing the field clears the choice.
            if (next === '' && value) onChange(null)
            combobox.openDropdown()
            combobox.resetSelectedOption()
          }}
          onClick={() => combobox.openDropdown()}
          onFocus={(event) => event.currentTarget.select()}
          onBlur={handleBlur}
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
                  showChoice()
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
          {customOption && !isCustomListed && (
            <Combobox.Option value={CUSTOM} className={classes.typed}>
              Usar “{customOption.label}”
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
          enterChooses={hasMatches ? options?.[0]?.label : undefined}
          isCut={isCut}
          emptyText={customOption && !isCustomListed ? undefined : emptyText}
          error={error}
          isFetching={isFetching}
          onRetry={retry}
        />
      </Combobox.Dropdown>
    </Combobox>
  )
  if (!keepsText) return list
  return (
    <div>
      {list}
      {leftText && extraLabel && (
        <ActionButton label={extraLabel} size="xs" mt="xs" onClick={() => submitLine(EXTRA)} />
      )}
      <span role="status" className={shared.screenReaderOnly}>
        {leftText && (leftTextError ?? extraLabel)}
      </span>
    </div>
  )
}

interface LeftTextState {
  /** `extra` offers to add the text. */
  mayAdd: boolean
  /** The form reports that the field needs a value. */
  isValueMissing: boolean
}

/** Returns an error for a text that can be added only once the form asks for the value. */
const leftTextErrorOf = (text: string, { mayAdd, isValueMissing }: LeftTextState) => {
  if (!mayAdd) return notChosen(text)
  return isValueMissing ? `“${text}” ainda não está cadastrado. Adicione-o ou escolha na lista.` : undefined
}

const onlyNamesake = <V extends string | number>(options: SelectOption<V>[], text: string) => {
  const namesakes = options.filter(({ label }) => normalised(label) === normalised(text))
  return namesakes.length === 1 ? namesakes[0] : undefined
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
const useFirstOption = (combobox: ComboboxStore, isWanted: boolean, searchText: string) => {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the store is a new object at each render
  useEffect(() => {
    if (isWanted) combobox.selectFirstOption()
  }, [isWanted, searchText])
}
