import { fieldLabels } from '@bi-manager/contract'
import { Box, Modal, Radio, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { ActionButton } from '../action-button.tsx'
import dialog from '../dialog/dialog.module.css'
import shared from '../shared.module.css'
import './entity-form-mantine.css'
import { Button } from '../button.tsx'
import { type Choice, type Difference, differencesOf, mergeChoices } from './conflict.ts'
import classes from './entity-form.module.css'
import { type FieldValues, valueText } from './field-values.ts'
import type { EntityForm } from './use-entity-form.ts'

interface ConflictDialogProps<V extends FieldValues, R extends { versao: number }> {
  form: EntityForm<V, R>
  labels?: Partial<Record<keyof V, string>>
  display?: Partial<Record<keyof V, (value: unknown) => string>>
  /** The noun for the entity in the sentences. */
  what?: string
}

/** Shows another user's change of the entity; the person chooses per field. */
export const ConflictDialog = <V extends FieldValues, R extends { versao: number }>(
  props: ConflictDialogProps<V, R>,
) => {
  const { conflict, dismissConflict, isSaving } = props.form
  const { what = 'cadastro' } = props
  return (
    <Modal
      opened={conflict !== undefined}
      onClose={() => !isSaving && dismissConflict()}
      title={`Outra pessoa alterou este ${what}`}
      size="42rem"
      centered
      closeButtonProps={{ 'aria-label': 'Voltar ao formulário' }}
    >
      {conflict && <Choices key={conflict.current.versao} {...props} />}
    </Modal>
  )
}

const Choices = <V extends FieldValues, R extends { versao: number }>({
  form,
  labels,
  display,
  what = 'cadastro',
}: ConflictDialogProps<V, R>) => {
  const { conflict, opened, values, valuesOf, resolve, isSaving } = form
  const current = conflict ? valuesOf(conflict.current) : values
  const [differences] = useState(() => differencesOf(opened, values, current))
  const [choices, setChoices] = useState(() => choicesOf(differences, ({ proposed }) => proposed))
  const decide = (taken: Partial<Record<keyof V, Choice>>) => resolve(mergeChoices(values, current, taken))
  const wordsOf = (field: keyof V, value: unknown) => (display?.[field] ?? valueText)(value)

  if (differences.length === 0)
    return (
      <>
        <Text size="sm">{conflict?.message}</Text>
        <Text size="sm" mt="xs">
          O {what} já está como você digitou: não há nada a gravar.
        </Text>
        <Box className={dialog.buttons} mt="1.25rem">
          <ActionButton isMain label="Continuar" onClick={() => decide({})} data-autofocus />
        </Box>
      </>
    )
  return (
    <>
      <Text size="sm">{conflict?.message}</Text>
      <Text size="sm" c="dimmed" mt={4}>
        Nada do que você digitou se perdeu. Escolha o que fica em cada campo.
      </Text>
      <Stack gap="lg" my="lg">
        {differences.map(({ field, typed, current: theirs, isContested }) => (
          <Radio.Group
            key={field}
            label={labels?.[field] ?? fieldLabels[field] ?? field}
            description={isContested ? 'Alterado por vocês dois' : undefined}
            value={choices[field] ?? 'mine'}
            onChange={(choice) => setChoices((before) => ({ ...before, [field]: choice as Choice }))}
          >
            <div className={classes.pair}>
              {(['mine', 'theirs'] as const).map((side) => (
                <Radio.Card key={side} value={side} className={classes.option}>
                  <Radio.Indicator />
                  <span>
                    <span className={`${shared.detail} ${classes.side}`}>{sides[side]}</span>
                    {wordsOf(field, side === 'mine' ? typed : theirs)}
                  </span>
                </Radio.Card>
              ))}
            </div>
          </Radio.Group>
        ))}
      </Stack>
      <Box className={dialog.buttons} mt="1.25rem">
        {differences.length > 1 && (
          <>
            <ActionButton
              label="Ficar com o do servidor"
              disabled={isSaving}
              onClick={() => decide(choicesOf(differences, () => 'theirs'))}
            />
            <ActionButton
              label="Manter tudo o que digitei"
              disabled={isSaving}
              onClick={() => decide(choicesOf(differences, () => 'mine'))}
            />
          </>
        )}
        <Button loading={isSaving} onClick={() => decide(choices)} data-autofocus>
          Gravar esta escolha
        </Button>
      </Box>
    </>
  )
}

const sides = { mine: 'Você digitou', theirs: 'No servidor agora' }

const choicesOf = <V,>(
  differences: Difference<V>[],
  choose: (difference: Difference<V>) => Choice,
): Partial<Record<keyof V, Choice>> =>
  Object.fromEntries(differences.map((one) => [one.field, choose(one)])) as Partial<Record<keyof V, Choice>>
