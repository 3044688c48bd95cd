import { nounOf } from './name-forms';
import { renameSource } from './rename-source';

const PROJECTS = nounOf('projects', 'project');
const ORDERS = nounOf('purchase-orders', 'purchase-order');
const INVOICES = nounOf('invoices', 'invoice');

describe('A renamed source', () => {
  it.each([
    ['class ListProjectsHandler {}', 'class ListPurchaseOrdersHandler {}'],
    ['const projectId = project.id;', 'const purchaseOrderId = purchaseOrder.id;'],
    ['export const PROJECT_COLUMNS = 1;', 'export const PURCHASE_ORDER_COLUMNS = 1;'],
    ["import { A } from './data/project.columns';", "import { A } from './data/purchase-order.columns';"],
    ["@Entity('projects')\nclass A {}", "@Entity('purchase_orders')\nclass A {}"],
    ["a({ name: 'projects_pkey' });", "a({ name: 'purchase_orders_pkey' });"],
    [
      "@Controller('tenants/current/projects')\nclass A {}",
      "@Controller('tenants/current/purchase-orders')\nclass A {}",
    ],
    ["a('tenant.projects.read', 'project.created');", "a('tenant.purchase-orders.read', 'purchase-order.created');"],
    ['a(`SELECT ${A} FROM projects WHERE id = $1`);', 'a(`SELECT ${A} FROM purchase_orders WHERE id = $1`);'],
    ["a({ summary: 'Create a project' });", "a({ summary: 'Create a purchase order' });"],
    ["describe('projects', b);", "describe('purchase orders', b);"],
    ["this.planLimits.within(a, 'projects', b);", "this.planLimits.within(a, 'purchaseOrders', b);"],
    ["this.planUse.countBy('projects', b);", "this.planUse.countBy('purchaseOrders', b);"],
    ['/** Projects of a tenant. */', '/** Purchase orders of a tenant. */'],
    ['// the columns of ProjectDetails', '// the columns of PurchaseOrderDetails'],
    ["a('x'); // a project's name", "a('x'); // a purchase order's name"],
  ])('has other forms in %s', (before, after) => expect(renameSource(before, PROJECTS, ORDERS)).toBe(after));

  it('has the article of the new word', () =>
    expect(renameSource('/** A project, or a project. */', PROJECTS, INVOICES)).toBe(
      '/** An invoice, or an invoice. */',
    ));
});
