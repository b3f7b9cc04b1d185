import { CloseButton, Combobox, InputBase, useCombobox, VisuallyHidden } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { matchesSearch, normalised } from '../../lib/text/search-text.ts'
import './search-select-mantine.css'
import shared from '../shared.module.css'
import { fitHeight } from './fit-height.ts'
import { scrollIntoRoom } from './scroll-into-room.ts'
import classes from './search-select.module.css'
import { notChosen } from './select-options.ts'

interface ClosedSelectProps<V extends string> {
  label: string | undefined
  options: readonly V[]
  /** '' when nothing is chosen. */
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

/** A searchable dropdown of a few fixed options. Opens on focus; closes on choice and blur. */
export const ClosedSelect = <V extends string>({
  label,
  options,
  value,
  onChange,
  onBlur,
  error,
  ...input
}: ClosedSelectProps<V>) => {
  const combobox = useCombobox({
    onDropdownOpen: () => scrollIntoRoom(combobox.targetRef.current),
    onDropdownClose: () => combobox.resetSelectedOption(),
  })
  /** Undefined: the field shows the choice. */
  const [text, setText] = useState<string>()
  /** The field was left with a text that is not a choice, and the text is still the same. */
  const [isLeft, setLeft] = useState(false)
  const opened = combobox.dropdownOpened
  const found = options.filter((option) => matchesSearch(option, text ?? ''))
  // The list element is always rendered: `aria-controls` refers to it while open.
  const shown = opened ? found : []
  const field = useRef<HTMLInputElement>(null)

  // While typing, Enter takes the best match.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the store is a new object at each render
  useEffect(() => {
    if (text?.trim()) combobox.selectFirstOption()
  }, [text])
  // Text typed after a choice replaces it: the field is a new search.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after each choice
  useEffect(() => {
    if (document.activeElement === field.current) field.current?.select()
  }, [value])

  const handleTyped = (typed: string) => {
    setText(typed)
    setLeft(false)
    // Clearing the field clears the choice.
    if (typed === '' && value) onChange('')
    combobox.openDropdown()
    combobox.resetSelectedOption()
  }
  const handleBlur = () => {
    // An option typed in full counts as chosen on blur. Any other text replaces the choice, which
    // would otherwise be saved without being shown.
    const typed = options.find((option) => normalised(option) === normalised(text?.trim() ?? ''))
    if (typed) onChange(typed)
    else if (text?.trim() && value) onChange('')
    if (typed || !text?.trim()) setText(undefined)
    else setLeft(true)
    combobox.closeDropdown()
    onBlur?.()
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

  return (
    <Combobox
      store={combobox}
      onOptionSubmit={(chosen) => {
        onChange(chosen as V)
        setText(undefined)
        setLeft(false)
        combobox.closeDropdown()
      }}
      middlewares={{ flip: false, shift: true, size: { apply: fitHeight } }}
      // In place: a portal would leave the landmark, or the open dialog, which hides the rest.
      withinPortal={false}
    >
      <Combobox.Target withExpandedAttribute>
        <InputBase
          {...input}
          // Text that is being searched fills the field; the list asks for the choice.
          error={text ? isLeft && notChosen(text) : error}
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
                  setLeft(false)
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
              className={`${shared.row} ${classes.option}`}
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
          <VisuallyHidden component="div" role="status">
            {found.length === 1 ? '1 opção.' : `${found.length} opções.`}
            {text?.trim() && ` Enter escolhe ${found[0]}.`}
          </VisuallyHidden>
        )}
      </Combobox.Dropdown>
    </Combobox>
  )
}
