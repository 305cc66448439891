import { Route, Switch } from 'wouter'
import { NotFound } from '../shell/not-found.tsx'
import { AccountPage } from './account.tsx'
import { Connect } from './connect.tsx'
import { ConnectedAppsPage } from './connected-apps.tsx'
import { IntegrationsPage } from './integrations.tsx'
import { SchedulesPage } from './schedules.tsx'
import { ServersPage } from './servers.tsx'
import { TokensPage } from './tokens.tsx'
import { WithoutAskingPage } from './without-asking.tsx'

/** The pages of the settings, loaded together: each name more would make the first page larger. `/connect` stands alone. */
export function Settings() {
  return (
    <Switch>
      <Route path="/settings/integrations" component={IntegrationsPage} />
      <Route path="/settings/integrations/servers" component={ServersPage} />
      <Route path="/settings/integrations/openai-clients" component={TokensPage} />
      <Route path="/settings/integrations/connected-apps" component={ConnectedAppsPage} />
      <Route path="/settings/integrations/without-asking" component={WithoutAskingPage} />
      <Route path="/settings/account" component={AccountPage} />
      <Route path="/connect" component={Connect} />
      <Route path="/schedules" component={SchedulesPage} />
      <Route>
        <NotFound />
      </Route>
    </Switch>
  )
}
