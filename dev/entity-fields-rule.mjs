// ESLint rule: a field of an entity is assigned only in the entity's class. An entity is a class
// with TypeORM's @Entity or columns; it is recognized by its type, whatever the variable's name.

const COLUMN = /Column$/;

/** The names of the decorators of a TypeScript node. */
function decoratorsOf(node) {
  return (node.modifiers ?? []).flatMap(({ expression }) => {
    const name = expression?.expression ?? expression;
    return name?.escapedText ? [String(name.escapedText)] : [];
  });
}

const isEntity = (declaration) =>
  decoratorsOf(declaration).includes('Entity') ||
  (declaration.members ?? []).some((member) => decoratorsOf(member).some((name) => COLUMN.test(name)));

/** The classes that a type consists of: its parts and what they extend. */
function classesOf(type) {
  const parts = type.types ?? [type];
  if (type.types) return parts.flatMap(classesOf);
  const own = (type.symbol?.declarations ?? []).filter((declaration) => declaration.members);
  return [...own, ...(type.getBaseTypes?.() ?? []).flatMap(classesOf)];
}

/** Whether an expression is the target of an assignment. */
function isAssigned(node) {
  const { parent } = node;
  switch (parent.type) {
    case 'AssignmentExpression':
    case 'AssignmentPattern':
    case 'ForInStatement':
    case 'ForOfStatement':
      return parent.left === node;
    case 'UpdateExpression':
    case 'ArrayPattern':
    case 'RestElement':
      return true;
    case 'UnaryExpression':
      return parent.operator === 'delete';
    case 'Property':
      return parent.parent.type === 'ObjectPattern' && parent.value === node;
    default:
      return false;
  }
}

/** The class around a node. */
function enclosingClass(node) {
  for (let at = node; at; at = at.parent)
    if (at.type === 'ClassDeclaration' || at.type === 'ClassExpression') return at;
  return undefined;
}

export const entityFields = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { outside: 'A field of the entity {{name}} is assigned outside its class. Add a method to the entity.' },
  },
  create(context) {
    const { getTypeAtLocation, esTreeNodeToTSNodeMap } = context.sourceCode.parserServices;

    /** The entity that must not be assigned to here; undefined if this is allowed. */
    function entityAssignedOutside(object) {
      const classes = classesOf(getTypeAtLocation(object));
      const entity = classes.find(isEntity);
      if (!entity) return undefined;
      const around = enclosingClass(object);
      const own = around ? classesOf(getTypeAtLocation(around)) : [];
      const isInside = own.includes(entity) || classes.includes(around && esTreeNodeToTSNodeMap.get(around));
      return isInside ? undefined : entity;
    }

    function check(object, node) {
      const entity = entityAssignedOutside(object);
      if (entity) context.report({ node, messageId: 'outside', data: { name: entity.name?.text ?? '' } });
    }

    return {
      MemberExpression(node) {
        if (isAssigned(node)) check(node.object, node);
      },
      // a new object is being built, not changed
      "CallExpression[callee.object.name='Object'][callee.property.name='assign'][arguments.0.type!='NewExpression']"(
        node,
      ) {
        check(node.arguments[0], node);
      },
    };
  },
};
