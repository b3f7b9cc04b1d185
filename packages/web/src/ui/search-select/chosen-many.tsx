import { Box, CloseButton } from '@mantine/core'
import type { QueryKey } from '@tanstack/react-query'
import { useRef } from 'react'
import shared from '../shared.module.css'
import { SearchSelect } from './search-select.tsx'
import type { OptionSearch, SelectOption } from './select-options.ts'

interface ChosenManyProps {
  label: string
  placeholder: string
  queryKey: QueryKey
  search: OptionSearch<number>
  value: SelectOption[]
  onChange: (options: SelectOption[]) => void
  /** Names the list of what is chosen: 'Pessoas escolhidas'. */
  chosenLabel: string
  error?: string | undefined
  name?: string
}

/** Several options, each chosen by a search. */
export const ChosenMany = ({ value, onChange, chosenLabel, ...select }: ChosenManyProps) => {
  const field = useRef<HTMLInputElement>(null)
  return (
    <div>
      <SearchSelect
        ref={field}
        value={null}
        onChange={(option) =>
          option && onChange([...value.filter((one) => one.value !== option.value), option])
        }
        {...select}
      />
      {value.length > 0 && (
        <Box component="ul" mt="0.5rem" className={shared.chips} aria-label={chosenLabel}>
          {value.map((option) => (
            <li key={option.value} className={`${shared.chip} ${shared.active}`}>
              {option.label}
              <CloseButton
                size="sm"
                aria-label={`Retirar ${option.label}`}
                onClick={() => {
                  onChange(value.filter((one) => one.value !== option.value))
                  field.current?.focus()
                }}
              />
            </li>
          ))}
        </Box>
      )}
    </div>
  )
}
