import { Tabs } from '@mantine/core'
import '@mantine/core/styles/Tabs.layer.css'
import { IconAlarm, IconCalendarTime, IconUserSearch } from '@tabler/icons-react'
import { useSearchParams } from 'react-router'
import { AdminPage } from '../../ui/page/admin-page.tsx'
import shared from '../../ui/shared.module.css'
import { PurposeGate } from '../purpose/purpose-gate.tsx'
import { BeneficiaryTab } from './beneficiary-tab.tsx'
import classes from './data-protection.module.css'
import { IncidentsTab } from './incidents-tab.tsx'
import { RetentionTab } from './retention-tab.tsx'

const tabs = [
  { value: 'beneficiario', label: 'Beneficiário', icon: IconUserSearch, Panel: BeneficiaryTab },
  { value: 'retencao', label: 'Retenção', icon: IconCalendarTime, Panel: RetentionTab },
  { value: 'incidentes', label: 'Incidentes', icon: IconAlarm, Panel: IncidentsTab },
]

/** '/protecao-de-dados': the page of the data protection officer (LGPD, art. 41). */
export const DataProtectionPage = () => {
  const [params, setParams] = useSearchParams()
  const current = tabs.find(({ value }) => value === params.get('aba')) ?? tabs[0]
  return (
    <AdminPage
      title="Proteção de dados"
      lead="Para o encarregado: o que se guarda de cada pessoa, até quando, e os incidentes de segurança."
    >
      <PurposeGate isOfficer>
        <Tabs
          value={current?.value ?? null}
          // Drops the other parameters: the page number belongs to the old tab's list.
          onChange={(aba) => aba && setParams({ aba })}
          keepMounted={false}
        >
          <Tabs.List className={classes.tabs}>
            {tabs.map(({ value, label, icon: Icon }) => (
              <Tabs.Tab key={value} value={value} leftSection={<Icon size={18} stroke={1.7} aria-hidden />}>
                {label}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {tabs.map(({ value, Panel }) => (
            <Tabs.Panel key={value} value={value} className={shared.stackLg}>
              <Panel />
            </Tabs.Panel>
          ))}
        </Tabs>
      </PurposeGate>
    </AdminPage>
  )
}
