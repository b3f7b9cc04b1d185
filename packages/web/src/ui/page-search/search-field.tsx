import { CloseButton, Loader, TextInput, type TextInputProps } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'

export interface SearchFieldProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  /** The accessible name, also shown as the placeholder. */
  label: string
  value: string
  onChange: (text: string) => void
  /** Offers a button that empties the field. */
  isClearable?: boolean
  /** The results are being fetched. */
  isBusy?: boolean
}

/** A field whose text narrows a list. */
export const SearchField = (props: SearchFieldProps) => {
  const { label, value, onChange, isClearable = false, isBusy = false, rightSection, ...field } = props
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={isBusy ? <Loader size={16} aria-hidden /> : <IconSearch size={17} aria-hidden />}
      rightSection={
        isClearable && value ? (
          <CloseButton aria-label="Limpar busca" onClick={() => onChange('')} />
        ) : (
          rightSection
        )
      }
      maxLength={200}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      {...field}
    />
  )
}
