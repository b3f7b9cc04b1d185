import { type Beneficiary, sexes } from '@bi-manager/contract'
import { Box, Button, Group, VisuallyHidden } from '@mantine/core'
import { IconArrowsExchange, IconPencil } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { Facts } from '../../ui/facts.tsx'
import shared from '../../ui/shared.module.css'
import classes from './beneficiaries.module.css'
import { BeneficiaryDialog, type BeneficiaryTarget } from './beneficiary-form.tsx'
import { BeneficiarySearch } from './beneficiary-search.tsx'
import { prefilledBy } from './beneficiary-values.ts'
import { birthText } from './birth-text.ts'

interface BeneficiaryPickerProps {
  value: Beneficiary | null
  onChange: (beneficiary: Beneficiary | null) => void
  /** True for forms, which need a beneficiary; false for lists, which may show all. */
  isRequired: boolean
  /** 'Campo obrigatório' */
  error?: string | undefined
}

/** Searches for a beneficiary, offers to register an unknown one, and shows the chosen one. */
export const BeneficiaryPicker = ({ value, onChange, isRequired, error }: BeneficiaryPickerProps) => {
  const [target, setTarget] = useState<BeneficiaryTarget>()
  const [said, setSaid] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const change = useRef<HTMLButtonElement>(null)
  const isMoving = useRef(false)
  // The pressed button is unmounted: focus the element that replaced it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the choice changes
  useEffect(() => {
    if (!isMoving.current) return
    isMoving.current = false
    ;(change.current ?? field.current)?.focus()
  }, [value?.id])
  const choose = (beneficiary: Beneficiary | null) => {
    isMoving.current = true
    onChange(beneficiary)
  }
  return (
    <>
      {value ? (
        <section className={classes.patient} aria-label="Beneficiário">
          <div className={shared.spread}>
            <Box component="h3" flex="1 1 10rem" fw={600} fz="md" className={shared.breakable}>
              {value.nome_beneficiario}
            </Box>
            <Group gap={8} wrap="nowrap" className={classes.patientButtons}>
              <Button
                ref={change}
                variant="default"
                size="compact-sm"
                leftSection={<IconArrowsExchange size={16} aria-hidden />}
                aria-label="Trocar de beneficiário"
                onClick={() => {
                  setSaid('')
                  choose(null)
                }}
              >
                Trocar
              </Button>
              <Button
                variant="default"
                size="compact-sm"
                leftSection={<IconPencil size={16} aria-hidden />}
                aria-label="Editar beneficiário"
                onClick={() => setTarget({ beneficiary: value })}
              >
                Editar
              </Button>
            </Group>
          </div>
          <BeneficiaryFacts beneficiary={value} />
        </section>
      ) : (
        <BeneficiarySearch
          label="Beneficiário"
          required={isRequired}
          error={error}
          fieldRef={field}
          choice="Escolher"
          choosesSingle
          onChoose={choose}
          onRegister={(text) => setTarget({ typed: prefilledBy(text) })}
        />
      )}
      <VisuallyHidden component="p" role="status">
        {said}
      </VisuallyHidden>
      <BeneficiaryDialog
        target={target}
        onClose={() => setTarget(undefined)}
        onSaved={(saved, isNew) => {
          setSaid(isNew ? 'Beneficiário cadastrado!' : 'Beneficiário editado!')
          if (isNew) choose(saved)
          else onChange(saved)
        }}
      />
    </>
  )
}

const NONE = '—'

/** The fields of a beneficiary except the name. */
const BeneficiaryFacts = ({ beneficiary }: { beneficiary: Beneficiary }) => {
  const { id_beneficiario, sexo, plano, operadora } = beneficiary
  const rows = [
    ['ID', id_beneficiario],
    ['Nascimento', birthText(beneficiary)],
    ['Sexo', sexo ? sexes[sexo] : NONE],
    ['Plano', plano ?? NONE],
    ['Operadora', operadora ?? NONE],
  ] as const
  return <Facts rows={rows} className={classes.facts} />
}
