// XML documents through libxml2. Nothing but the bytes given is read: no
// network, no files, no entities. Documents with a document type declaration or an undeclared prefix are refused, and
// so is what exceeds libxml2's limits (256 nested elements, 10 MB in one text).
//
// Functions that can fail write a message of at most CXML_MESSAGE bytes, with its NUL. Texts are UTF-8. A document
// belongs to one thread.
#ifndef CXML_H
#define CXML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CXML_MESSAGE = 256 };

typedef struct cxml_document cxml_document;
// An element or an attribute.
typedef struct cxml_node cxml_node;

// NULL when the document is not well-formed or is refused. Comments and processing
// instructions are left out.
cxml_document *cxml_open(const void *data, size_t size, char *message);
void cxml_close(cxml_document *document);
// The root element as text, without an XML declaration, to be released with cxml_free; NULL when there is no root or no
// memory.
char *cxml_write(cxml_document *document);

// The elements in document order: the root for NULL, then the one after `element`; NULL at the end.
cxml_node *cxml_next(cxml_document *document, cxml_node *element);
// The next element that is not inside `element`; NULL at the end.
cxml_node *cxml_next_outside(cxml_node *element);
// The attributes of an element: the first for NULL, then the one after `attribute`; NULL at the end.
cxml_node *cxml_next_attribute(cxml_node *element, cxml_node *attribute);

// The name without its prefix, and the URI of its namespace ("" for none). Valid as long as the node.
const char *cxml_name(const cxml_node *node);
const char *cxml_namespace(const cxml_node *node);
// The text of an attribute, or directly inside an element, to be released with cxml_free; NULL when there is none.
char *cxml_text(cxml_node *node);
// Replaces the whole content. The text must not contain '&' or '<'.
void cxml_set_text(cxml_node *node, const char *text);
// Removes a node with everything inside it.
void cxml_remove(cxml_node *node);
void cxml_free(char *text);

#endif
