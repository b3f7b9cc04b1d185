import { type Beneficiary, beneficiariesApi, MAX_FOUND, sexes } from '@bi-manager/contract'
import { Alert, Stack, Text, TextInput, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconAlertCircle, IconChevronRight, IconSearch, IconUserPlus } from '@tabler/icons-react'
import { type Ref, useEffect, useRef, useState } from 'react'
import { call, messageOf } from '../../lib/api/api.ts'
import { useExclusiveMutation } from '../../lib/api/use-exclusive-mutation.ts'
import { usePurpose } from '../../lib/session/purpose.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { useSearchKey } from '../../ui/page-search/use-search-key.ts'
import shared from '../../ui/shared.module.css'
import classes from './beneficiary-search.module.css'
import { birthText } from './birth-text.ts'

interface BeneficiarySearchProps {
  label: string
  error?: string | undefined
  required?: boolean
  fieldRef?: Ref<HTMLInputElement>
  /** The search of its page, which the '/' key focuses. */
  isPageSearch?: boolean
  onChoose: (beneficiary: Beneficiary) => void
  /** 'Cadastrar beneficiário', called with the search text; optional. */
  onRegister?: (text: string) => void
  /** Label of the button that chooses a result: 'Escolher'. */
  choice: string
  /** The only result is chosen at once: the search is by exact id or full name. */
  choosesSingle?: boolean
}

/**
 * Finds a beneficiary by exact id or full name. Searches only on submit: every search is audited.
 * Renders no form element, because it can be placed inside another form.
 */
export const BeneficiarySearch = (props: BeneficiarySearchProps) => {
  const { label, error, required, fieldRef, onChoose, onRegister, choice, choosesSingle } = props
  const own = useRef<HTMLInputElement>(null)
  useSearchKey(own, props.isPageSearch ?? false)
  const [text, setText] = useState('')
  const purpose = usePurpose()
  const searching = useExclusiveMutation({
    mutationFn: (search: { text: string; purpose: typeof purpose }) =>
      call(beneficiariesApi.search, { body: { texto: search.text } }),
    gcTime: 0,
  })
  const [isEmpty, setEmpty] = useState(false)
  // Results found under another purpose are not shown under the current one.
  const found = searching.variables?.purpose === purpose ? searching.data : undefined
  const single = choosesSingle && found?.length === 1 ? found[0] : undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per result
  useEffect(() => {
    if (single) onChoose(single)
  }, [single])
  const search = () => {
    setEmpty(text.trim() === '')
    if (text.trim() !== '') searching.mutate({ text: text.trim(), purpose })
  }
  return (
    <div className={`${shared.stackSm} ${classes.picker}`}>
      <div className={`${shared.stackXs} ${classes.searchLine}`}>
        <TextInput
          ref={fieldRef ?? own}
          type="search"
          aria-keyshortcuts={props.isPageSearch ? '/' : undefined}
          flex={1}
          label={label}
          description="Digite o ID completo ou o nome completo; acentos, apóstrofos e maiúsculas não importam. Os nomes ficam cifrados, por isso um trecho não basta."
          placeholder="ID ou nome completo"
          required={required ?? false}
          autoComplete="off"
          spellCheck={false}
          maxLength={120}
          leftSection={<IconSearch size={17} aria-hidden />}
          value={text}
          onChange={({ currentTarget }) => {
            setText(currentTarget.value)
            setEmpty(false)
            searching.reset()
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            search()
          }}
          // Text that is being searched fills the field; the results ask for a choice.
          error={isEmpty ? 'Digite o ID ou o nome completo.' : text.trim() ? undefined : error}
        />
        <div className={shared.buttons}>
          <ActionButton label="Pesquisar" onClick={search} loading={searching.isPending} />
        </div>
      </div>
      {searching.error && (
        <Alert color="red" role="alert" icon={<IconAlertCircle aria-hidden />}>
          <Text fz="inherit" mb={8}>
            {messageOf(searching.error)}
          </Text>
          <ActionButton label="Tentar novamente" size="xs" onClick={search} />
        </Alert>
      )}
      <Text role="status" fz="sm" {...(found?.length === 0 ? { fw: 600 } : { c: 'dimmed' })}>
        {found && foundText(found.length)}
      </Text>
      {found && found.length > 0 && (
        <ul className={shared.stackTight} aria-label="Resultados da pesquisa">
          {found.map((one) => (
            <li key={one.id}>
              <UnstyledButton className={`${shared.row} ${classes.result}`} onClick={() => onChoose(one)}>
                <Stack component="span" gap={2} flex={1} className={shared.breakable}>
                  <VisuallyHidden>{choice} </VisuallyHidden>
                  <strong>{one.nome_beneficiario}</strong>
                  <span className={shared.note}>{detailsOf(one)}</span>
                </Stack>
                <IconChevronRight size={18} aria-hidden className={shared.dimmedIcon} />
              </UnstyledButton>
            </li>
          ))}
        </ul>
      )}
      {found && onRegister && (
        <ActionButton
          variant="light"
          icon={IconUserPlus}
          label="Cadastrar beneficiário"
          w="fit-content"
          onClick={() => onRegister(text.trim())}
        />
      )}
    </div>
  )
}

const foundText = (count: number): string => {
  if (count === 0) return 'A pesquisa não retornou resultados!'
  if (count === 1) return '1 beneficiário encontrado'
  return count >= MAX_FOUND
    ? `Os ${count} últimos cadastrados com este nome. Pesquise pelo ID para achar outro.`
    : `${count} beneficiários encontrados`
}

/** The details that distinguish people of the same name. */
const detailsOf = (one: Beneficiary): string =>
  [
    `ID ${one.id_beneficiario}`,
    one.data_nascimento && birthText(one),
    one.sexo && sexes[one.sexo],
    [one.plano, one.operadora].filter(Boolean).join(', '),
  ]
    .filter(Boolean)
    .join(' · ')
