import { CloseButton, Combobox, InputBase, useCombobox } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { matchesSearch, normalised } from '../../lib/search-text.ts'
import './search-select-mantine.css'
import { fitHeight } from './fit-height.ts'
import { makeRoomUnder } from './make-room.ts'
import classes from './search-select.module.css'

interface ClosedSelectProps<V extends string> {
  label: string | undefined
  options: readonly V[]
  /** '' where nothing is chosen. */
  value: V | ''
  onChange: (value: V | '') => void
  onBlur?: () => void
  placeholder?: string
  description?: ReactNode
  error?: ReactNode
  name?: string
  required?: boolean
  disabled?: boolean
}

/**
 * A searchable list of a few options that are known beforehand. It opens when the field gets the focus, and closes when an option
 * is chosen or the focus goes elsewhere, so that one is open at a time.
 */
export const ClosedSelect = <V extends string>({
  label,
  options,
  value,
  onChange,
  onBlur,
  ...input
}: ClosedSelectProps<V>) => {
  const combobox = useCombobox({
    onDropdownOpen: () => makeRoomUnder(combobox.targetRef.current),
    onDropdownClose: () => {
      combobox.resetSelectedOption()
      setText(undefined)
    },
  })
  /** Undefined: nothing was typed since the list opened, and the field shows what is chosen. */
  const [text, setText] = useState<string>()
  const opened = combobox.dropdownOpened
  const found = options.filter((option) => matchesSearch(option, text ?? ''))
  // The list itself is always there: the field names it while it is open.
  const shown = opened ? found : []
  const field = useRef<HTMLInputElement>(null)

  // While one types, Enter takes the best match.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the store is made anew at each render
  useEffect(() => {
    if (text?.trim()) combobox.selectFirstOption()
  }, [text])
  // What is typed after a choice is another search, not more of the same text.
  // biome-ignore lint/correctness/useExhaustiveDependencies: at each choice
  useEffect(() => {
    if (document.activeElement === field.current) field.current?.select()
  }, [value])

  const handleTyped = (typed: string) => {
    setText(typed)
    // An emptied field is an emptied choice.
    if (typed === '' && value) onChange('')
    combobox.openDropdown()
    combobox.resetSelectedOption()
  }
  const handleBlur = () => {
    // Typed in full and left with Tab: it is meant, though nothing was pressed.
    const typed = options.find((option) => text !== undefined && normalised(option) === normalised(text))
    if (typed) onChange(typed)
    combobox.closeDropdown()
    onBlur?.()
  }
  const handleKeyDown = (event: KeyboardEvent) => {
    if (!opened) return
    // While the list is open these two keys are its own: they neither save nor leave the form.
    if (event.key === 'Enter') event.preventDefault()
    if (event.key === 'Escape') event.stopPropagation()
  }

  return (
    <Combobox
      store={combobox}
      onOptionSubmit={(chosen) => {
        onChange(chosen as V)
        combobox.closeDropdown()
      }}
      middlewares={{ flip: false, shift: true, size: { apply: fitHeight } }}
      // Where the field is: in the page's landmark, or in the dialog that hides the rest from screen readers.
      withinPortal={false}
    >
      <Combobox.Target withExpandedAttribute>
        <InputBase
          {...input}
          ref={field}
          label={label}
          autoComplete="off"
          spellCheck={false}
          aria-autocomplete="list"
          value={text ?? value}
          onChange={(event) => handleTyped(event.currentTarget.value)}
          onFocus={(event) => {
            event.currentTarget.select()
            combobox.openDropdown()
          }}
          onClick={() => combobox.openDropdown()}
          onBlur={handleBlur}
          onKeyDown={handleKeyDown}
          rightSectionPointerEvents={value ? 'all' : 'none'}
          rightSection={
            value && !input.disabled ? (
              <CloseButton
                size="md"
                iconSize={16}
                tabIndex={-1}
                aria-label={`Limpar ${label ?? 'seleção'}`}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => {
                  onChange('')
                  setText(undefined)
                }}
              />
            ) : (
              <Combobox.Chevron />
            )
          }
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={!opened} className={classes.dropdown}>
        <Combobox.Options className={classes.options} aria-label={label}>
          {shown.map((option) => (
            <Combobox.Option
              key={option}
              value={option}
              active={option === value}
              aria-selected={option === value}
              className={classes.option}
            >
              {option}
            </Combobox.Option>
          ))}
        </Combobox.Options>
        {found.length === 0 ? (
          <div className={classes.message} role="status">
            A pesquisa não retornou resultados!
          </div>
        ) : (
          <div className={classes.forReaders} role="status">
            {found.length === 1 ? '1 opção.' : `${found.length} opções.`}
            {text?.trim() && ` Enter escolhe ${found[0]}.`}
          </div>
        )}
      </Combobox.Dropdown>
    </Combobox>
  )
}
