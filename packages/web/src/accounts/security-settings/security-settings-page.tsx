import { ApiProblem, type SecondFactorPolicy, type SecuritySettings } from '@bi-manager/contract'
import { Alert, Button, Radio, Skeleton, Stack, Switch, Text } from '@mantine/core'
import '@mantine/core/styles/Radio.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import { IconShieldLock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import { useSuccessClose } from '../../ui/dialog/use-success-close.ts'
import { LeaveDialog } from '../../ui/entity-form/leave-dialog.tsx'
import { SaveRules } from '../../ui/entity-form/save-rules.tsx'
import { useDraft } from '../../ui/entity-form/use-draft.ts'
import { Form } from '../../ui/form.tsx'
import { AdminPage } from '../../ui/page/admin-page.tsx'
import { RestoredNotice } from '../../ui/restored-notice.tsx'
import shared from '../../ui/shared.module.css'
import { CommentsSwitch } from './comments-switch.tsx'
import { NetworksFields } from './networks-fields.tsx'
import { SecondFactorProposal } from './second-factor-proposal.tsx'
import { choices } from './second-factor-rule.ts'
import classes from './security-settings.module.css'
import { securitySettingsQuery, useSaveSecuritySettings } from './security-settings-queries.ts'
import { changesOf, draftOf, type SettingsDraft } from './settings-draft.ts'
import { useNeedsOwnSetUp } from './use-needs-own-set-up.ts'

/** '/seguranca': the installation's security rules. */
export const SecuritySettingsPage = () => {
  const settings = useQuery({ ...securitySettingsQuery, staleTime: 0 })
  return (
    <AdminPage title="Segurança" lead="Regras que valem para toda a instalação." narrow>
      <SecondFactorProposal />
      {settings.data ? (
        <Rules settings={settings.data} />
      ) : settings.error ? (
        <ListFailure
          error={settings.error}
          isFetching={settings.isFetching}
          onRetry={() => void settings.refetch()}
        />
      ) : (
        <Skeleton height={320} radius="lg" />
      )}
      <CommentsSwitch />
    </AdminPage>
  )
}

const Rules = ({ settings }: { settings: SecuritySettings }) => {
  const draft = useDraft<Partial<SettingsDraft>>('regras-de-seguranca')
  const [chosen, setChosen] = useState(draft.restored)
  const [isRestored, setRestored] = useState(draft.restored !== undefined)
  const needsOwnSetUp = useNeedsOwnSetUp()
  const value = { ...draftOf(settings), ...chosen }
  const changes = changesOf(value, settings)
  const isDirty = Object.keys(changes).length > 0
  draft.keep(isDirty ? chosen : undefined)
  const locksOneselfOut = changes.segundoFator !== undefined && needsOwnSetUp(changes.segundoFator)

  const saving = useSaveSecuritySettings(() => {
    setChosen(undefined)
    setRestored(false)
  })
  useSuccessClose(saving.isSuccess, saving.reset)
  const change = (next: Partial<SettingsDraft>) => {
    saving.reset()
    setChosen({ ...chosen, ...next })
  }
  const faults = saving.error instanceof ApiProblem ? (saving.error.campos ?? {}) : {}
  const element = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (saving.error) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [saving.error])

  return (
    <Form
      ref={element}
      className={shared.card}
      onSubmit={() =>
        !saving.isPending && !locksOneselfOut && saving.mutate({ ...changes, versao: settings.versao })
      }
      aria-label="Segurança"
    >
      {isRestored && isDirty && <RestoredNotice done="escolhido" save="grave" />}
      <Radio.Group
        label="Segundo fator"
        description="Um código do celular, além da senha. Vale na hora: quem ainda não tem configura antes de continuar. Quem entra pelo provedor de identidade usa o segundo fator de lá."
        value={value.segundoFator}
        onChange={(next) => change({ segundoFator: next as SecondFactorPolicy })}
        classNames={{ label: classes.label }}
      >
        <Stack gap="md" mt="1.25rem">
          {choices.map(({ policy, label, explain }) => (
            <Radio
              key={policy}
              value={policy}
              label={label}
              description={explain(settings.semSegundoFator)}
            />
          ))}
        </Stack>
      </Radio.Group>
      {locksOneselfOut && (
        <Alert color="yellow" icon={<IconShieldLock aria-hidden />} className={classes.warning} role="status">
          <Text mb="0.75rem">
            Você ainda não tem segundo fator, e esta regra vale para você também. Configure o seu primeiro.
          </Text>
          <Button
            component={Link}
            to="/segundo-fator"
            state={{ destino: '/seguranca' }}
            variant="default"
            onClick={draft.takeDetour}
          >
            Configurar o meu
          </Button>
        </Alert>
      )}
      <NetworksFields settings={settings} value={value} onChange={change} faults={faults} />
      <fieldset className={classes.group}>
        <legend className={classes.label}>Pedidos de acesso</legend>
        <Switch
          label="A busca mostra relatórios sem acesso"
          description="Quem procura acha também os nomes dos relatórios que não pode abrir, marcados “Sem acesso”, e pede acesso a eles. Desligado, ninguém fica sabendo que existem."
          checked={value.buscaSemAcesso}
          onChange={({ currentTarget }) => change({ buscaSemAcesso: currentTarget.checked })}
        />
      </fieldset>
      <SaveRules
        isMain
        saving={saving}
        error={saving.error}
        isDirty={isDirty}
        isBlocked={locksOneselfOut}
        outdated={`A regra gravada agora é "${labelOf(settings.segundoFator)}". Confira e grave de novo.`}
      />
      <LeaveDialog isDirty={isDirty && !locksOneselfOut} />
    </Form>
  )
}

const labelOf = (policy: SecondFactorPolicy): string =>
  choices.find((choice) => choice.policy === policy)?.label ?? policy
