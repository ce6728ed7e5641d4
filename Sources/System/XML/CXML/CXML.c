#include "CXML.h"

#include <libxml/parser.h>
#include <libxml/tree.h>
#include <libxml/xmlerror.h>
#include <stdio.h>
#include <string.h>

static xmlNodePtr inner(cxml_node *node) { return (xmlNodePtr)node; }

static void say(char *message, const xmlError *error, const char *otherwise) {
    if (!error || !error->message) {
        snprintf(message, CXML_MESSAGE, "%s", otherwise);
        return;
    }
    // libxml2's messages end with a line break.
    const int length = (int)strcspn(error->message, "\n");
    snprintf(message, CXML_MESSAGE, "line %d: %.*s", error->line, length, error->message);
}

static xmlNodePtr after(xmlNodePtr node) {
    while (node && !node->next) {
        node = node->parent;
        if (node && node->type != XML_ELEMENT_NODE) return NULL;
    }
    return node ? node->next : NULL;
}

static bool is_element(xmlNodePtr node) { return node->type == XML_ELEMENT_NODE; }

// Elements and texts are all that anything here looks at or writes.
static void remove_comments(xmlDocPtr document) {
    xmlNodePtr node = document->children;
    while (node) {
        const bool is_kept = is_element(node) || node->type == XML_TEXT_NODE || node->type == XML_CDATA_SECTION_NODE;
        xmlNodePtr next = is_kept && is_element(node) && node->children ? node->children : after(node);
        if (!is_kept) {
            xmlUnlinkNode(node);
            xmlFreeNode(node);
        }
        node = next;
    }
}

cxml_document *cxml_open(const void *data, size_t size, char *message) {
    xmlInitParser();
    xmlParserCtxtPtr context = size <= INT32_MAX ? xmlNewParserCtxt() : NULL;
    if (!context) {
        say(message, NULL, "not enough memory");
        return NULL;
    }
    // Neither XML_PARSE_NOENT nor XML_PARSE_DTDLOAD: nothing is fetched or substituted. Without XML_PARSE_HUGE the limits
    // on depth and size hold.
    xmlDocPtr document = xmlCtxtReadMemory(
        context, data, (int)size, NULL, NULL, XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    if (!document || !context->wellFormed || !context->nsWellFormed) {
        say(message, xmlCtxtGetLastError(context), "not well-formed");
        if (document) xmlFreeDoc(document);
        document = NULL;
    } else if (document->intSubset || document->extSubset) {
        say(message, NULL, "it has a document type declaration");
        xmlFreeDoc(document);
        document = NULL;
    }
    xmlFreeParserCtxt(context);
    if (document) {
        remove_comments(document);
        // Without an encoding, everything beyond ASCII is written as character references.
        if (!document->encoding) document->encoding = xmlStrdup((const xmlChar *)"UTF-8");
    }
    return (cxml_document *)document;
}

void cxml_close(cxml_document *document) {
    if (document) xmlFreeDoc((xmlDocPtr)document);
}

char *cxml_write(cxml_document *document) {
    xmlDocPtr whole = (xmlDocPtr)document;
    xmlNodePtr root = xmlDocGetRootElement(whole);
    xmlBufferPtr buffer = root ? xmlBufferCreate() : NULL;
    if (!buffer) return NULL;
    const bool is_written = xmlNodeDump(buffer, whole, root, 0, 0) >= 0;
    char *text = is_written ? (char *)xmlBufferDetach(buffer) : NULL;
    xmlBufferFree(buffer);
    return text;
}

cxml_node *cxml_next(cxml_document *document, cxml_node *element) {
    if (!element) return (cxml_node *)xmlDocGetRootElement((xmlDocPtr)document);
    xmlNodePtr node = inner(element)->children;
    while (node && !is_element(node)) node = node->next;
    return node ? (cxml_node *)node : cxml_next_outside(element);
}

cxml_node *cxml_next_outside(cxml_node *element) {
    xmlNodePtr node = after(inner(element));
    while (node && !is_element(node)) node = after(node);
    return (cxml_node *)node;
}

cxml_node *cxml_next_attribute(cxml_node *element, cxml_node *attribute) {
    return attribute ? (cxml_node *)inner(attribute)->next : (cxml_node *)inner(element)->properties;
}

const char *cxml_name(const cxml_node *node) { return (const char *)((const xmlNode *)node)->name; }

const char *cxml_namespace(const cxml_node *node) {
    const xmlNode *element = (const xmlNode *)node;
    const xmlNs *space = element->type == XML_ATTRIBUTE_NODE ? ((const xmlAttr *)node)->ns : element->ns;
    if (!space || !space->href) return "";
    // Declared once, an endless name would be copied for each of the elements that use it. No real one is this long.
    return strnlen((const char *)space->href, 1025) <= 1024 ? (const char *)space->href : "too long";
}

char *cxml_text(cxml_node *node) {
    return (char *)xmlNodeListGetString(inner(node)->doc, inner(node)->children, 1);
}

void cxml_set_text(cxml_node *node, const char *text) {
    xmlNodeSetContent(inner(node), (const xmlChar *)text);
}

void cxml_remove(cxml_node *node) {
    xmlUnlinkNode(inner(node));
    xmlFreeNode(inner(node));
}

void cxml_free(char *text) {
    if (text) xmlFree(text);
}
